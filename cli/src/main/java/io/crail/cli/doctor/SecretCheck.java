// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.error.CrailException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.NamenodeKeys;
import io.crail.protocol.config.StorageKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the secret can be used, and servers that others can reach have one. Prints none. */
final class SecretCheck implements Check {
    private static final Map<ConfigKey<String>, Party> HOSTS = hosts();

    private final Configuration values;

    SecretCheck(Configuration values) {
        this.values = values;
    }

    private static Map<ConfigKey<String>, Party> hosts() {
        Map<ConfigKey<String>, Party> hosts = new LinkedHashMap<>();
        hosts.put(NamenodeKeys.BIND_HOST, Party.NAMENODE);
        hosts.put(NamenodeKeys.STATUS_HOST, Party.NAMENODE);
        hosts.put(StorageKeys.BIND_HOST, Party.STORAGE_SERVER);
        hosts.put(StorageKeys.STATUS_HOST, Party.STORAGE_SERVER);
        return hosts;
    }

    @Override
    public String subject() {
        return "secret";
    }

    @Override
    public List<Finding> look() {
        AuthenticationConfig authentication = AuthenticationConfig.of(values);
        List<Finding> found = new ArrayList<>();
        try {
            authentication.forCaller();
            for (Map.Entry<ConfigKey<String>, Party> each : HOSTS.entrySet()) {
                String host = values.get(each.getKey());
                authentication.forServer(each.getValue(), host);
                Optional<String> warning = authentication.warning(each.getValue(), host);
                warning.ifPresent(
                        text ->
                                found.add(
                                        Finding.warning(
                                                each.getKey() + " = " + host + ": " + text,
                                                "make a secret: 'crail secret create FILE'")));
            }
        } catch (CrailException e) {
            return List.of(
                    Finding.problem(
                            String.valueOf(e.getMessage()),
                            "see 'Who may enter' in docs/operations.md"));
        }
        if (found.isEmpty()) {
            found.add(
                    Finding.ok(
                            authentication.secretFile() == null
                                    ? "none, and none is needed: servers listen on loopback only"
                                    : authentication.secretFile()
                                            + " belongs to this user and is closed to others"));
        }
        return found;
    }
}
