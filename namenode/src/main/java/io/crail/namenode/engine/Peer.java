// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

/** What the engine knows of a connection: attached to it with the hello. */
final class Peer {
    private final int role;
    private final String name;
    private long session;
    private int server;

    Peer(int role, String name, long session) {
        this.role = role;
        this.name = name;
        this.session = session;
    }

    int role() {
        return role;
    }

    String name() {
        return name;
    }

    /** The session of a client's connection, 0 before it has one. */
    long session() {
        return session;
    }

    void join(long newSession) {
        session = newSession;
    }

    /** The id of a storage server's connection, 0 before it is registered. */
    int server() {
        return server;
    }

    void register(int id) {
        server = id;
    }
}
