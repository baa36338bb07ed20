// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Attach;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * What one connection has attached: the session file of a process on this host. Only a Unix socket
 * may: that its peer is on this host, and of this user, is then certain.
 *
 * <p>Opening a session file takes some ten microseconds of the event loop, once per client.
 *
 * <p>Used by the connection's event loop only.
 */
final class Attachment {
    /** Files that one connection may attach: more are a mistake. */
    private static final int MAX_FILES = 16;

    private final ServiceState state;
    private final boolean local;
    private final List<String> files = new ArrayList<>(1);

    Attachment(ServiceState state, Channel channel) {
        this.state = state;
        this.local = !(channel instanceof SocketChannel);
    }

    Attach.Reply attach(AccessCheck access, WireReader control) throws CrailException {
        String file = Attach.Request.decode(control).file();
        LocalAccess here = localAccess();
        if (files.size() >= MAX_FILES) {
            throw new InvalidArgumentException("one connection attaches one session file");
        }
        here.sessions().attach(file, access.session(), state.admitted().cluster());
        files.add(file);
        return new Attach.Reply(here.server(), here.segments().toString());
    }

    void detach() throws CrailException {
        LocalAccess access = localAccess();
        for (String file : files) {
            access.sessions().detach(file);
        }
        files.clear();
        access.whenUnpinned().run();
    }

    /** The connection is gone; whether the process is, only its lock can tell. */
    void disconnected() {
        LocalAccess access = state.local;
        if (access != null) {
            files.forEach(access.sessions()::disconnected);
        }
    }

    private LocalAccess localAccess() throws AccessDeniedException {
        LocalAccess access = state.local;
        if (access == null || !local) {
            throw new AccessDeniedException(
                    "segments are mapped by clients on the same host, over the Unix socket only");
        }
        return access;
    }
}
