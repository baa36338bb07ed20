// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.spi.IoContext;
import io.crail.client.spi.RpcChannel;
import java.util.List;

/**
 * Where one link connects to: to the namenodes in turn, to each over the network or by a shortcut.
 * Guarded by the link's lock, except {@link #shortcuts}, which guards itself.
 */
final class Routes {
    private final SessionSettings settings;
    private final IoContext io;
    private final Shortcuts shortcuts;
    private int turn;
    private boolean isShort;

    Routes(IoContext io, SessionSettings settings) {
        this.io = io;
        this.settings = settings;
        this.shortcuts = new Shortcuts(io, settings.local());
    }

    Shortcuts shortcuts() {
        return shortcuts;
    }

    /** The namenode whose turn it is, {@code host:port}. */
    String target() {
        List<String> namenodes = settings.namenodes();
        return namenodes.get(turn % namenodes.size());
    }

    /** Whether the last connection was begun by a shortcut. */
    boolean isShort() {
        return isShort;
    }

    /** Begins to connect to the target. */
    RpcChannel open(RpcChannel.Listener listener) {
        RpcChannel local = shortcuts.open(target(), listener);
        isShort = local != null;
        return local != null ? local : overNetwork(listener);
    }

    private RpcChannel overNetwork(RpcChannel.Listener listener) {
        String target = target();
        int colon = target.lastIndexOf(':');
        String host = target.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = Integer.parseInt(target.substring(colon + 1));
        return settings.transport().open(host, port, io, listener);
    }

    /**
     * The connection is gone: chooses the next way.
     *
     * @param wasReady whether it had become ready
     * @param wasAnswered whether the namenode itself ended it
     * @return whether to take it at once
     */
    boolean lost(boolean wasReady, boolean wasAnswered) {
        if (isShort && !wasReady && !wasAnswered) {
            shortcuts.failed(target());
            return true;
        }
        if (!isShort && wasReady) {
            shortcuts.reconsider(target());
        }
        turn++;
        return wasReady || wasAnswered;
    }
}
