// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.net.InetSocketAddress;

/** A connection between two machines: two pipes, which break together. */
final class Connection {
    final Machine client;
    final Machine server;
    final SimulatedSocket clientEnd;
    final SimulatedSocket serverEnd;
    final Pipe toServer;
    final Pipe toClient;
    private boolean broken;
    private boolean isHalfOpen;

    Connection(
            Timeline timeline, SimulatedSocket clientEnd, Machine server, InetSocketAddress local) {
        this.client = clientEnd.machine();
        this.server = server;
        this.clientEnd = clientEnd;
        this.serverEnd = new SimulatedSocket(server);
        Runnable breakDown = this::reset;
        this.toServer = new Pipe(timeline, serverEnd::changed, clientEnd::changed, breakDown);
        this.toClient = new Pipe(timeline, clientEnd::changed, serverEnd::changed, breakDown);
        serverEnd.attach(this, toClient, toServer, local, client.nextAddress());
    }

    /** Both ends see a reset; what was under way is lost. */
    void reset() {
        if (isHalfOpen) {
            return;
        }
        broken = true;
        toServer.breakUp();
        toClient.breakUp();
        clientEnd.changed();
        serverEnd.changed();
    }

    /** The network between the two is gone and nobody is told. */
    void becomeHalfOpen() {
        isHalfOpen = true;
        toServer.swallow();
        toClient.swallow();
    }

    /** One direction is gone and nobody is told. */
    void becomeDeaf(Pipe direction) {
        isHalfOpen = true;
        direction.swallow();
    }

    boolean isBroken() {
        return broken;
    }

    boolean isOpen() {
        return !broken && !isHalfOpen && clientEnd.isOpen() && serverEnd.isOpen();
    }
}
