// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.testing;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.BlocksFreed;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Plays the namenode to storage servers: answers as the protocol says, and notes what it hears. A
 * test takes from the queues, which wait up to a minute.
 */
public final class ScriptedNamenode implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;

    public final BlockingQueue<Hello.Request> hellos = new LinkedBlockingQueue<>();
    public final BlockingQueue<RegisterServer.Request> servers = new LinkedBlockingQueue<>();
    public final BlockingQueue<RegisterSegment.Request> segments = new LinkedBlockingQueue<>();
    public final BlockingQueue<Heartbeat.Request> heartbeats = new LinkedBlockingQueue<>();
    public final BlockingQueue<BlocksFreed.Freed> freed = new LinkedBlockingQueue<>();
    private final BlockingQueue<AwaitCommands.Revoke> revokes = new LinkedBlockingQueue<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ServerSocket server;
    private final UUID cluster;
    private final long epoch;
    private final byte[] sealKey;
    private volatile boolean silent;
    private volatile @Nullable ErrorCode refusal;

    /**
     * @param port 0 = any free one
     */
    public ScriptedNamenode(int port, UUID cluster, long epoch, byte[] sealKey) throws IOException {
        this.cluster = cluster;
        this.epoch = epoch;
        this.sealKey = sealKey;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        bind(port);
        daemon(this::accept).start();
    }

    /** A port that was in use a moment ago is let go when the thread that accepted has ended. */
    private void bind(int port) {
        Awaitility.await()
                .ignoreException(BindException.class)
                .until(
                        () -> {
                            server.bind(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                            return true;
                        });
    }

    public int port() {
        return server.getLocalPort();
    }

    public void revoke(int segment, int record, int length, long generation) {
        revokes.add(new AwaitCommands.Revoke(segment, record, length, generation));
    }

    /** From now on answers nothing, as a stopped process does. */
    public void fallSilent() {
        silent = true;
    }

    /** From now on refuses to register servers; null = registers them. */
    public void refuseRegistrations(@Nullable ErrorCode code) {
        refusal = code;
    }

    public static <T> T take(BlockingQueue<T> queue) {
        try {
            T taken = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            if (taken == null) {
                throw new AssertionError("nothing was heard within " + WAIT_SECONDS + " s");
            }
            return taken;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                if (server.isClosed()) {
                    socket.close(); // Accepted while close went through the others.
                }
                daemon(() -> serve(socket)).start();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                ByteBuffer header =
                        ByteBuffer.allocate(FrameHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
                in.readFully(header.array());
                byte[] control = new byte[FrameHeader.controlLength(header, 0)];
                in.readFully(control);
                MessageType type = MessageType.ofWire(FrameHeader.type(header, 0));
                if (type == MessageType.AWAIT_COMMANDS) {
                    AwaitCommands.Request request =
                            AwaitCommands.Request.decode(new WireReader(control));
                    daemon(() -> command(socket, header, request)).start();
                } else {
                    answer(socket, header, type, new WireReader(control));
                }
            }
        } catch (IOException e) {
            // The server has gone, or this namenode was closed.
        }
    }

    private void command(Socket socket, ByteBuffer header, AwaitCommands.Request request) {
        try {
            List<AwaitCommands.Revoke> commands = new ArrayList<>();
            AwaitCommands.Revoke first =
                    revokes.poll(request.maxWaitMillis(), TimeUnit.MILLISECONDS);
            if (first != null) {
                commands.add(first);
                revokes.drainTo(commands);
            }
            send(socket, header, 0, new AwaitCommands.Reply(commands));
        } catch (IOException e) {
            // The server has gone.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void answer(
            Socket socket, ByteBuffer header, @Nullable MessageType type, WireReader control)
            throws IOException {
        if (type == MessageType.HELLO) {
            hellos.add(Hello.Request.decode(control));
            send(socket, header, 0, greeting());
        } else if (type == MessageType.REGISTER_SERVER) {
            servers.add(RegisterServer.Request.decode(control));
            ErrorCode code = refusal;
            if (code != null) {
                send(socket, header, code.wire(), new Refusal());
                return;
            }
            send(socket, header, 0, new RegisterServer.Reply(7, sealKey, 50, 1000, 4096));
        } else if (type == MessageType.REGISTER_SEGMENT) {
            segments.add(RegisterSegment.Request.decode(control));
            send(socket, header, 0, new RegisterSegment.Reply());
        } else if (type == MessageType.HEARTBEAT) {
            heartbeats.add(Heartbeat.Request.decode(control));
            send(socket, header, 0, new Heartbeat.Reply(false));
        } else if (type == MessageType.BLOCKS_FREED) {
            freed.addAll(BlocksFreed.Request.decode(control).blocks());
            send(socket, header, 0, new BlocksFreed.Reply());
        } else {
            throw CrailException.of(ErrorCode.PROTOCOL, "unexpected " + type);
        }
    }

    private Hello.Reply greeting() {
        return new Hello.Reply(
                1,
                0,
                0,
                cluster,
                epoch,
                ProtocolLimits.MAX_FRAME,
                1024,
                2048,
                1024,
                "test",
                new byte[0]);
    }

    private void send(Socket socket, ByteBuffer request, int status, Message message)
            throws IOException {
        if (silent) {
            return;
        }
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_FRAME);
        writer.raw(new byte[FrameHeader.SIZE]);
        message.encode(writer);
        FrameHeader.putResponse(
                writer.buffer(),
                0,
                FrameHeader.type(request, 0),
                FrameHeader.requestId(request, 0),
                epoch,
                status,
                writer.position() - FrameHeader.SIZE,
                0,
                FrameHeader.traceId(request, 0));
        byte[] frame = new byte[writer.position()];
        writer.buffer().flip().get(frame);
        synchronized (socket) {
            socket.getOutputStream().write(frame);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "scripted-namenode");
        thread.setDaemon(true);
        return thread;
    }

    /** The control part of an error answer. */
    private record Refusal() implements Message {
        @Override
        public MessageType type() {
            return MessageType.REGISTER_SERVER;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.string("refused by the test");
        }
    }
}
