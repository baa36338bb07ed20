// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs in the guest: our libdisni.so under the published DiSNI. Prints a line for each part that
 * went well; the first that does not ends it with a stack trace and status 1.
 */
final class VerbsMain {
    private static final String LISTENING = "listening";

    private final String host;
    private final int port;

    private VerbsMain(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Arguments: an address of the RDMA device, a port. A third one makes it the other process. */
    public static void main(String[] arguments) throws Exception {
        VerbsMain tests = new VerbsMain(arguments[0], Integer.parseInt(arguments[1]));
        if (arguments.length > 2) {
            tests.listenForEver();
            return;
        }
        numbersOfNoObjectDoNoHarm();
        tests.twoEndsMoveData();
        tests.portThatNobodyListensAtRefuses();
        tests.killedPeerIsNoticed();
    }

    static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static void said(String what) {
        System.out.println("ok: " + what);
    }

    private InetSocketAddress address(int atPort) {
        return new InetSocketAddress(host, atPort);
    }

    private VerbsEnd listen() throws IOException {
        VerbsEnd server = VerbsEnd.create();
        server.id.bindAddr(address(port));
        server.id.listen(1);
        return server;
    }

    /** A client whose request for a connection has come to the server. */
    private static void connect(VerbsEnd server, VerbsEnd client, InetSocketAddress to)
            throws IOException {
        client.resolve(to);
        client.allocate();
        client.id.connect(VerbsEnd.parameters());
        server.id = server.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        server.allocate();
        server.receive(1, 0, VerbsEnd.BUFFER_BYTES);
        server.id.accept(VerbsEnd.parameters());
        client.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        check(
                server.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED) == server.id,
                "the event is of another connection");
    }

    private void twoEndsMoveData() throws Exception {
        VerbsEnd server = listen();
        RdmaCmId listener = server.id;
        VerbsEnd client = VerbsEnd.create();
        check(client.id.getVerbs() == null, "a device without an address");
        connect(server, client, address(port));
        check(
                client.id.getDestination().equals(address(port)),
                "connected to " + client.id.getDestination());
        check(server.pair.getQp_num() != client.pair.getQp_num(), "both ends have one number");
        check(
                client.id.getVerbs().getCmd_fd() == server.id.getVerbs().getCmd_fd(),
                "one device has two numbers");

        client.buffer.putLong(0, 0x1122334455667788L);
        client.request(IbvSendWR.IBV_WR_SEND, 2, 0, 8, 0, 0).execute().free();
        client.succeed(2);
        server.succeed(1);
        check(server.buffer.getLong(0) == 0x1122334455667788L, "another message came");
        said("send and receive");

        long remote = server.region.getAddr();
        int key = server.region.getRkey();
        SVCPostSend write = client.request(IbvSendWR.IBV_WR_RDMA_WRITE, 3, 0, 8, remote + 64, key);
        write.execute();
        client.succeed(3);
        check(server.buffer.getLong(64) == 0x1122334455667788L, "nothing was written");
        server.buffer.putLong(128, 42);
        client.request(IbvSendWR.IBV_WR_RDMA_READ, 4, 256, 8, remote + 128, key).execute().free();
        client.succeed(4);
        check(client.buffer.getLong(256) == 42, "nothing was read");
        said("remote write and read");

        write.getWrMod(0).setWr_id(5);
        write.getWrMod(0).getRdmaMod().setRemote_addr(remote + 512);
        write.getWrMod(0).getSgeMod(0).setAddr(client.region.getAddr() + 256);
        write.execute().free();
        client.succeed(5);
        check(server.buffer.getLong(512) == 42, "the changed request did something else");
        said("request that is changed and executed again");

        check(!client.channel.getCqEvent(client.queue, 50), "an event of nothing");
        client.queue.reqNotification(false).execute().free();
        server.receive(7, 0, VerbsEnd.BUFFER_BYTES);
        client.request(IbvSendWR.IBV_WR_SEND, 6, 0, 8, 0, 0).execute().free();
        check(client.channel.getCqEvent(client.queue, 30_000), "no event of a completion");
        client.queue.ackEvents(1);
        client.succeed(6);
        server.succeed(7);
        said("completion events");

        client.close();
        server.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        check(listener.destroyId() == 0, "the listener was not destroyed");
        server.close();
        said("close");
    }

    private void portThatNobodyListensAtRefuses() throws Exception {
        VerbsEnd client = VerbsEnd.create();
        client.resolve(address(port + 1));
        client.allocate();
        client.id.connect(VerbsEnd.parameters());
        check(
                client.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_REJECTED) == client.id,
                "the event is of another connection");
        client.close();
        said("refused connection");
    }

    /** The other process: accepts a connection, and waits to be killed. */
    private void listenForEver() throws Exception {
        VerbsEnd server = listen();
        System.out.println(LISTENING);
        server.id = server.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        server.allocate();
        server.id.accept(VerbsEnd.parameters());
        boolean unused = new CountDownLatch(1).await(2, TimeUnit.MINUTES);
    }

    private void killedPeerIsNoticed() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        VerbsMain.class.getName(),
                        host,
                        Integer.toString(port),
                        "listen"));
        Process peer =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8))) {
            check(LISTENING.equals(lines.readLine()), "the other process does not listen");
            VerbsEnd client = VerbsEnd.create();
            client.resolve(address(port));
            client.allocate();
            client.receive(1, 0, 64);
            client.id.connect(VerbsEnd.parameters());
            client.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
            peer.destroyForcibly();
            check(peer.waitFor(30, TimeUnit.SECONDS), "the other process does not end");
            client.await(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
            client.id.disconnect();
            IbvWC flushed = client.completion();
            check(
                    IbvWC.IbvWcStatus.valueOf(flushed.getStatus())
                            == IbvWC.IbvWcStatus.IBV_WC_WR_FLUSH_ERR,
                    "completed with " + flushed.getStatus());
            client.close();
        } finally {
            peer.destroyForcibly();
        }
        said("killed peer");
    }

    /** Every native, with numbers that name nothing, or what is gone. */
    private static void numbersOfNoObjectDoNoHarm() throws Exception {
        Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        NativeDispatcher natives = constructor.newInstance();
        long gone = natives._createEventChannel();
        check(natives._destroyEventChannel(gone) == 0, "the channel was not destroyed");
        check(natives._destroyEventChannel(gone) == -1, "it was destroyed twice");
        long[] wrong = {0, -1, gone, gone + 1, 1, 42, Long.MAX_VALUE, Long.MIN_VALUE};
        List<Method> methods = new ArrayList<>(List.of(NativeDispatcher.class.getMethods()));
        // As much of an order as there is.
        Collections.sort(methods, (a, b) -> a.getName().compareTo(b.getName()));
        int called = 0;
        for (Method each : methods) {
            boolean isNative = Modifier.isNative(each.getModifiers());
            if (isNative && each.getDeclaringClass() == NativeDispatcher.class) {
                for (long number : wrong) {
                    callWrongly(natives, each, number);
                }
                called++;
            }
        }
        check(called == 48, called + " natives were called");
        check(NativeAffinity.getAffinity() != 0, "this thread may run nowhere");
        said("numbers of no object");
    }

    /** The number for the first argument, zeros for the others: no address is one. */
    private static void callWrongly(NativeDispatcher natives, Method method, long number)
            throws IllegalAccessException {
        Class<?>[] types = method.getParameterTypes();
        if (method.getName().equals("_createEventChannel")) {
            return; // makes one
        }
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            long value = i == 0 ? number : 0;
            arguments[i] =
                    types[i] == long.class
                            ? (Object) value
                            : types[i] == int.class
                                    ? (Object) (int) value
                                    : types[i] == short.class ? (Object) (short) 0 : (byte) 0;
        }
        try {
            Object result = method.invoke(natives, arguments);
            check(
                    types.length == 0
                            || method.getName().equals("_ackCmEvent")
                            || (result instanceof Number value && value.longValue() == -1),
                    method.getName() + Arrays.toString(arguments) + " gave " + result);
        } catch (InvocationTargetException e) {
            check(
                    e.getCause() instanceof IOException,
                    method.getName() + Arrays.toString(arguments) + " threw " + e.getCause());
        }
    }
}
