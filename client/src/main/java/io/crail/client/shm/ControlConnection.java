// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.DataPeer;
import io.crail.client.spi.Exchange;
import io.crail.client.spi.IoContext;
import io.crail.client.stream.Dialer;
import io.crail.client.stream.Lane;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Attach;
import io.crail.protocol.message.Detach;
import io.crail.protocol.message.Message;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the Unix socket of a storage server, from connecting until it is lost: shows
 * the session file, and from then on tells by being there that the server lives. Thread-safe.
 */
final class ControlConnection {
    /** Hears what becomes of a connection, on the polling thread, without locks held. */
    interface Listener {
        void attached(ControlConnection connection, Attach.Reply reply);

        /** It broke, could not be made, or the server refused; the last call. */
        void ended(ControlConnection connection, CrailException cause);
    }

    private static final int BUFFER_BYTES = 16 << 10;

    private final DataPeer peer;
    private final IoContext io;
    private final Listener listener;
    private final Lane lane;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean attached;

    ControlConnection(DataPeer peer, Dialer dialer, IoContext io, Listener listener) {
        this.peer = peer;
        this.io = io;
        this.listener = listener;
        this.lane = new Lane(peer, dialer, io, BUFFER_BYTES, this::end);
    }

    /** Connects, says hello and shows the file. */
    void attach(String file) {
        lane.submit(new Call(new Attach.Request(file)));
        io.schedule(
                io.connectTimeoutNanos(),
                () -> {
                    if (!attached) {
                        lane.close(
                                new ServerLostException(
                                        peer + " does not answer on its Unix socket"));
                    }
                });
    }

    /** Tells the server that nothing is in use any more, and hangs up. */
    void detach(CrailException cause) {
        if (attached) {
            lane.submit(new Call(new Detach.Request()));
        }
        lane.close(cause);
    }

    void close(CrailException cause) {
        lane.close(cause);
    }

    private void end(CrailException cause) {
        if (ended.compareAndSet(false, true)) {
            listener.ended(this, cause);
        }
    }

    /** ATTACH or DETACH. */
    private final class Call extends Exchange {
        private final boolean attach;

        Call(Message message) {
            super(lane.nextId(), message.type().wire(), 0, Lane.encode(message), null);
            this.attach = message instanceof Attach.Request;
        }

        @Override
        public long session() {
            return peer.session();
        }

        @Override
        public long acknowledged() {
            return 0;
        }

        @Override
        public int remainingMillis() {
            return (int) TimeUnit.NANOSECONDS.toMillis(io.connectTimeoutNanos());
        }

        @Override
        public @Nullable ByteBuffer payloadTarget(int status, int length) {
            return null;
        }

        @Override
        public void answered(int status, long epoch, byte[] control) {
            if (!attach) {
                return;
            }
            try {
                WireReader reader = new WireReader(control);
                if (status == 0) {
                    Attach.Reply reply = Attach.Reply.decode(reader);
                    attached = true;
                    listener.attached(ControlConnection.this, reply);
                } else {
                    String why = reader.string(ProtocolLimits.MAX_ERROR_MESSAGE);
                    lane.close(CrailException.of(ErrorCode.ofWire(status), peer + ": " + why));
                }
            } catch (ProtocolException e) {
                lane.close(new ProtocolException(peer + ": malformed answer", e));
            }
        }

        @Override
        public void failed(CrailException cause) {
            // The lane tells, too.
        }
    }
}
