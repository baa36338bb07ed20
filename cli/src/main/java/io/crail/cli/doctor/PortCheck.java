// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.NamenodeKeys;
import io.crail.protocol.config.StorageKeys;
import java.util.ArrayList;
import java.util.List;

/** Whether the ports of the configuration are free, or crail is who has them. */
final class PortCheck implements Check {
    /** Who has a port. */
    enum State {
        FREE,
        /** A server of crail answers there. */
        CRAIL,
        /** Somebody else does, or nobody. */
        TAKEN,
        /** The address is none of this machine. */
        NOT_HERE,
        /** It is known nowhere; told by {@link AddressCheck}. */
        UNKNOWN,
        /** This user may not listen there. */
        FORBIDDEN
    }

    /** Looks at ports. */
    interface Ports {
        State rpc(Endpoint at);

        State status(Endpoint at);
    }

    private record Place(
            ConfigKey<String> host, ConfigKey<Integer> port, boolean status, boolean used) {}

    private final Configuration values;
    private final Ports ports;

    PortCheck(Configuration values, Ports ports) {
        this.values = values;
        this.ports = ports;
    }

    @Override
    public String subject() {
        return "ports";
    }

    private List<Place> places() {
        return List.of(
                new Place(NamenodeKeys.BIND_HOST, NamenodeKeys.BIND_PORT, false, true),
                new Place(
                        NamenodeKeys.STATUS_HOST,
                        NamenodeKeys.STATUS_PORT,
                        true,
                        values.get(NamenodeKeys.STATUS)),
                new Place(StorageKeys.BIND_HOST, StorageKeys.BIND_PORT, false, true),
                new Place(
                        StorageKeys.STATUS_HOST,
                        StorageKeys.STATUS_PORT,
                        true,
                        values.get(StorageKeys.STATUS)));
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        List<String> any = new ArrayList<>();
        for (Place place : places()) {
            if (!place.used()) {
                continue;
            }
            int port = values.get(place.port());
            if (port == 0) {
                any.add(place.port().name());
                continue;
            }
            Endpoint at = new Endpoint(values.get(place.host()), port);
            State state = place.status() ? ports.status(at) : ports.rpc(at);
            found.add(finding(place, at, state));
        }
        if (!any.isEmpty()) {
            found.add(Finding.ok("any free port: " + String.join(", ", any)));
        }
        return found;
    }

    private static Finding finding(Place place, Endpoint at, State state) {
        String what = place.port() + " = " + at.port() + ": ";
        return switch (state) {
            case FREE -> Finding.ok(what + at + " is free");
            case CRAIL -> Finding.ok(what + "a server of crail answers on " + at);
            case TAKEN ->
                    Finding.problem(
                            what + at + " is taken, and not by a server of crail that answers",
                            "see who has it (ss -ltnp), or set " + place.port() + " to another");
            case NOT_HERE ->
                    Finding.problem(
                            what + at.host() + " is no address of this machine",
                            "set " + place.host() + " to one that is, or to 0.0.0.0 for all");
            case UNKNOWN ->
                    Finding.problem(
                            what + "host " + at.host() + " is not known", "set " + place.host());
            case FORBIDDEN ->
                    Finding.problem(
                            what + "this user may not listen on " + at,
                            "set " + place.port() + " to 1024 or more");
        };
    }
}
