// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.FrameLink.Connector;
import io.crail.namenode.FrameLink.Header;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.SessionOpen;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A session with one or more connections, one request at a time. The test decides on request ids
 * when it wants to repeat a mutation, and on acknowledgements: normally each request acknowledges
 * all before it. Not thread-safe.
 */
final class WireClient implements Closeable {
    /** Decodes the control part of an answer. */
    @FunctionalInterface
    interface Decoder<T> {
        T decode(WireReader reader) throws IOException;
    }

    private static final byte[] NO_TOKEN = new byte[16];

    private final List<FrameLink> connections = new ArrayList<>();
    private final SessionOpen.Reply identity;
    private Connector connector;
    private int current;
    private long lastId;
    private long acknowledged;
    private boolean acknowledging = true;

    private WireClient(Connector connector, FrameLink first, SessionOpen.Reply identity) {
        this.connector = connector;
        this.identity = identity;
        connections.add(first);
    }

    /** Connects and opens a session with the namenode's default timeout. */
    static WireClient open(Connector connector, String name) throws IOException {
        return open(connector, new SessionOpen.Request(name, 0, name, "testers", "", 0));
    }

    static WireClient open(Connector connector, SessionOpen.Request wanted) throws IOException {
        FrameLink connection = connector.connect();
        connection.hello(FrameLink.helloOf(Hello.ROLE_CLIENT, 0, NO_TOKEN));
        connection.send(
                FrameLink.frame(
                        new Header(0, wanted.type().wire(), 1, 0, 0),
                        FrameLink.control(wanted),
                        FrameLink.NO_PAYLOAD));
        SessionOpen.Reply reply = SessionOpen.Reply.decode(connection.receive().orThrow().reader());
        return new WireClient(connector, connection, reply);
    }

    /** The same session at another namenode, which was recovered from a copy of the metadata. */
    WireClient at(Connector elsewhere) throws IOException {
        FrameLink link = elsewhere.connect();
        link.hello(FrameLink.helloOf(Hello.ROLE_CLIENT, session(), identity.token()));
        WireClient twin = new WireClient(elsewhere, link, identity);
        twin.lastId = lastId;
        twin.acknowledged = acknowledged;
        twin.acknowledging = acknowledging;
        return twin;
    }

    SessionOpen.Reply identity() {
        return identity;
    }

    long session() {
        return identity.session();
    }

    /** The connection that requests go over now. */
    FrameLink connection() {
        return connections.get(current);
    }

    /** Adds a connection to the session; requests go over it from now on. */
    FrameLink join() throws IOException {
        FrameLink connection = connector.connect();
        connections.add(connection);
        connection.hello(FrameLink.helloOf(Hello.ROLE_CLIENT, session(), identity.token()));
        current = connections.size() - 1;
        return connection;
    }

    void use(int connection) {
        current = connection;
    }

    /** Drops all connections and joins the session again, perhaps elsewhere. */
    void reconnect(Connector to) throws IOException {
        close();
        connections.clear();
        connector = to;
        join();
    }

    /** Whether each request acknowledges all before it. */
    void setAcknowledging(boolean value) {
        acknowledging = value;
    }

    void acknowledge(long id) {
        acknowledged = id;
    }

    long lastId() {
        return lastId;
    }

    long nextId() {
        return ++lastId;
    }

    static boolean isMutation(Message message) {
        return message.type().isMutation()
                || (message instanceof KeepAlive.Request k
                        && (k.closedHandles().length > 0 || !k.returned().isEmpty()));
    }

    /** The frame of a request under an id of the test's choice. */
    byte[] frame(long id, Message message, byte[] payload) {
        return FrameLink.frame(
                new Header(
                        isMutation(message) ? FrameHeader.FLAG_MUTATION : 0,
                        message.type().wire(),
                        id,
                        session(),
                        acknowledged),
                FrameLink.control(message),
                payload);
    }

    /** Sends a request under a new id and returns its answer, an error or not. */
    Answer ask(Message message, byte[] payload) throws IOException {
        return ask(nextId(), message, payload);
    }

    /** As {@link #ask(Message, byte[])} under any id: to repeat a mutation. */
    Answer ask(long id, Message message, byte[] payload) throws IOException {
        connection().send(frame(id, message, payload));
        Answer answer = connection().receive();
        if (answer.id() != id || answer.type() != message.type().wire()) {
            throw new IOException("answer to another request: " + answer);
        }
        if (acknowledging && id > acknowledged) {
            acknowledged = id;
        }
        return answer;
    }

    <T> T call(Message message, Decoder<T> decoder) throws IOException {
        return call(message, FrameLink.NO_PAYLOAD, decoder);
    }

    <T> T call(Message message, byte[] payload, Decoder<T> decoder) throws IOException {
        return decoder.decode(ask(message, payload).orThrow().reader());
    }

    @Override
    public void close() throws IOException {
        for (FrameLink each : connections) {
            each.close();
        }
    }
}
