// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection, as a channel that never blocks. */
final class SimulatedSocket extends SocketChannel implements SimulatedSelector.Channel {
    /** Time in which a peer can take what was sent before the end. */
    private static final long LINGER_NANOS = 20_000_000;

    private static final SocketAddress UNBOUND = new InetSocketAddress(0);

    private final Machine machine;
    private SimulatedSelector.@Nullable Key key;
    private @Nullable Connection connection;
    private @Nullable Pipe out;
    private @Nullable Pipe in;
    private SocketAddress local = UNBOUND;
    private SocketAddress remote = UNBOUND;
    private boolean refused;
    private boolean established;
    private boolean inputShut;
    private boolean outputShut;

    SimulatedSocket(Machine machine) {
        super(machine);
        this.machine = machine;
        machine.add(this);
    }

    Machine machine() {
        return machine;
    }

    /** The connection stands. */
    void attach(
            Connection made, Pipe sends, Pipe receives, SocketAddress here, SocketAddress there) {
        connection = made;
        out = sends;
        in = receives;
        local = here;
        remote = there;
        established = machine == made.server;
    }

    void refused() {
        refused = true;
        changed();
    }

    void changed() {
        if (key != null) {
            key.changed();
        }
    }

    /** Its process was killed. */
    void abort() {
        Connection current = connection;
        if (current != null) {
            current.reset();
        }
        try {
            close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public int ready() {
        if (refused) {
            return SelectionKey.OP_CONNECT;
        }
        Connection current = connection;
        Pipe sends = out;
        Pipe receives = in;
        if (current == null || sends == null || receives == null) {
            return 0;
        }
        if (!established) {
            return SelectionKey.OP_CONNECT;
        }
        if (current.isBroken()) {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
        return (receives.isReadable() ? SelectionKey.OP_READ : 0)
                | (sends.room() > 0 ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public void registered(SimulatedSelector.Key registered) {
        key = registered;
    }

    @Override
    public boolean connect(SocketAddress to) {
        machine.network().connect(this, (InetSocketAddress) to);
        return false;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (refused) {
            throw new ConnectException("Connection refused");
        }
        established = connection != null;
        return established;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Pipe from = usable(in);
        return inputShut ? -1 : from.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            int count = read(targets[i]);
            if (count < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += count;
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Pipe to = usable(out);
        if (outputShut) {
            throw new ClosedChannelException();
        }
        return to.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += write(sources[i]);
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return sum;
    }

    private Pipe usable(@Nullable Pipe pipe) throws IOException {
        Connection current = connection;
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (current == null || pipe == null || current.isBroken()) {
            throw new SocketException("Connection reset");
        }
        return pipe;
    }

    @Override
    public SocketChannel shutdownInput() {
        inputShut = true;
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() {
        outputShut = true;
        if (out != null) {
            out.end();
        }
        return this;
    }

    /** As a kernel does: an orderly end, or a reset if the peer's bytes were not read. */
    @Override
    protected void implCloseSelectableChannel() {
        Connection current = connection;
        if (current == null || out == null || in == null) {
            return;
        }
        if (in.hasUnread() && !inputShut) {
            current.reset();
        } else {
            out.end();
            machine.network()
                    .timeline()
                    .after(LINGER_NANOS, current::reset); // Nobody reads here any more.
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // Never blocks.
    }

    @Override
    public SocketChannel bind(SocketAddress address) {
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) {
        return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public boolean isConnected() {
        return established;
    }

    @Override
    public boolean isConnectionPending() {
        return !established;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return local;
    }

    /** As much of a socket as Netty asks for. */
    @Override
    public Socket socket() {
        return new Socket() {
            @Override
            public void setTcpNoDelay(boolean on) {
                // There is no delay.
            }

            @Override
            public synchronized int getSendBufferSize() {
                return 64 << 10;
            }

            @Override
            public int getSoLinger() {
                return -1;
            }

            @Override
            public boolean isInputShutdown() {
                return inputShut;
            }

            @Override
            public boolean isOutputShutdown() {
                return outputShut;
            }

            @Override
            public SocketAddress getRemoteSocketAddress() {
                return remote;
            }

            @Override
            public SocketAddress getLocalSocketAddress() {
                return local;
            }
        };
    }
}
