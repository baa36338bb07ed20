// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.NamenodeKeys;
import io.crail.protocol.config.StorageKeys;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whether names of hosts in the configuration are known, and mean what others can reach. */
final class AddressCheck implements Check {
    private static final List<ConfigKey<String>> HOSTS =
            List.of(
                    NamenodeKeys.BIND_HOST,
                    NamenodeKeys.STATUS_HOST,
                    StorageKeys.BIND_HOST,
                    StorageKeys.STATUS_HOST);

    private final Machine machine;
    private final Configuration values;
    private final String hostName;

    /**
     * @param hostName of this machine, which a storage server announces if it is told nothing
     */
    AddressCheck(Machine machine, Configuration values, String hostName) {
        this.machine = machine;
        this.values = values;
        this.hostName = hostName;
    }

    @Override
    public String subject() {
        return "addresses";
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        for (ConfigKey<String> key : HOSTS) {
            isKnown(key.name(), values.get(key), found);
        }
        for (Endpoint namenode : values.get(ClientKeys.NAMENODES)) {
            isKnown(ClientKeys.NAMENODES.name(), namenode.host(), found);
        }
        announced(found);
        if (found.isEmpty()) {
            found.add(Finding.ok("all host names of the configuration are known"));
        }
        return found;
    }

    private boolean isKnown(String key, String host, List<Finding> found) {
        try {
            return !machine.names().resolve(host).isEmpty();
        } catch (UnknownHostException e) {
            found.add(
                    Finding.problem(
                            key + " = " + host + ": no such host is known here",
                            "correct the name, or add it to the DNS or to /etc/hosts"));
            return false;
        }
    }

    /** A server that listens for others must not tell them an address that means themselves. */
    private void announced(List<Finding> found) {
        boolean forOthers = !isLoopback(values.get(StorageKeys.BIND_HOST));
        List<String> configured =
                Arrays.stream(values.get(StorageKeys.ADVERTISE).split(",", -1))
                        .map(String::strip)
                        .filter(host -> !host.isEmpty())
                        .toList();
        String key = StorageKeys.ADVERTISE.name();
        for (String host : configured) {
            if (isKnown(key, host, found) && forOthers && isLoopback(host)) {
                found.add(misleading(key + " = " + host));
            }
        }
        if (configured.isEmpty() && isAny(values.get(StorageKeys.BIND_HOST))) {
            String own = "the name of this host, " + hostName + ", which storage servers announce";
            if (isKnown(own, hostName, found) && isLoopback(hostName)) {
                found.add(misleading(own));
            }
        }
    }

    private static Finding misleading(String what) {
        return Finding.warning(
                what + ", is a loopback address: clients on other hosts would call themselves",
                "set " + StorageKeys.ADVERTISE + " to a name or address that clients can reach");
    }

    private boolean isLoopback(String host) {
        return allMatch(host, true);
    }

    private boolean isAny(String host) {
        return allMatch(host, false);
    }

    private boolean allMatch(String host, boolean loopback) {
        try {
            return machine.names().resolve(host).stream()
                    .allMatch(
                            loopback
                                    ? InetAddress::isLoopbackAddress
                                    : InetAddress::isAnyLocalAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
