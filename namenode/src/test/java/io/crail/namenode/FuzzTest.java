// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.FrameLink.Header;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests made of noise, and good ones with some bytes changed: none of them is a defect, harms
 * another client, or makes a log that cannot be replayed.
 */
final class FuzzTest {
    private static final int REQUESTS = Integer.getInteger("crail.test.fuzz", 60_000);
    private static final long SEED = Long.getLong("crail.test.seed", 20250102);

    @TempDir private Path temporary;
    private final Random random = new Random(SEED);
    private final RandomRequests requests = new RandomRequests(random);

    @Test
    void noRequestIsADefect() throws IOException {
        Path directory = Files.createTempDirectory(temporary, "meta");
        try (LocalNamenode namenode = LocalNamenode.start(directory)) {
            FakeStorage storage = new FakeStorage(new UUID(1, 1), 0, "good");
            storage.format(0, 8 << 20, 5);
            storage.register(namenode::connect);
            TestSession good = namenode.session("good");
            for (int done = 0; done < REQUESTS; done += 500) {
                try {
                    fuzzOneConnection(namenode, done % 1500 == 0);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError("seed " + SEED + ", after request " + done, e);
                }
                assertThat(good.lookup("/").type()).isEqualTo(NodeType.DIRECTORY);
                namenode.engine().state().blocks().checkConservation();
                namenode.tick();
            }
            good.wire().acknowledge(good.wire().lastId());
            good.lookup("/");
            TestNamenode.Memory memory = namenode.memory();
            Path copy = Files.createTempDirectory(temporary, "copy");
            TestNamenode.copy(directory, copy);
            try (LocalNamenode successor = LocalNamenode.start(copy)) {
                successor.engine().state().blocks().checkConservation();
                successor.assertRemembers(memory);
            }
        }
    }

    /** Some hundred requests on one connection, of a client or a storage server. */
    private void fuzzOneConnection(LocalNamenode namenode, boolean asStorage) throws IOException {
        FrameLink link;
        long session = 0;
        if (asStorage) {
            FakeStorage storage = new FakeStorage(new UUID(2, random.nextInt(3)), 200, "fuzz");
            storage.introduce(namenode::connect);
            link = storage.link();
        } else {
            TestSession client = namenode.session("fuzz");
            session = client.wire().session();
            link = client.wire().connection();
        }
        long acknowledged = 0;
        for (int i = 1; i <= 500; i++) {
            Message message = asStorage ? requests.fromStorage() : requests.fromClient();
            byte[] control = FrameLink.control(message);
            if (random.nextInt(3) != 0) {
                control = mutate(control);
            }
            boolean mutation = WireClient.isMutation(message) ^ (random.nextInt(50) == 0);
            int type = random.nextInt(20) == 0 ? random.nextInt(300) : message.type().wire();
            if (type == MessageType.SESSION_CLOSE.wire()) {
                continue;
            }
            byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(2000) : 20];
            link.send(
                    FrameLink.frame(
                            new Header(
                                    mutation ? FrameHeader.FLAG_MUTATION : 0,
                                    type,
                                    random.nextInt(100) == 0 ? random.nextInt(i) : i,
                                    session,
                                    acknowledged),
                            control,
                            payload));
            acknowledged = (long) i - random.nextInt(Math.min(i, 10) + 1);
            Answer answer = next(namenode, link);
            if (answer != null && answer.status() != 0) {
                assertThat(ErrorCode.ofWire(answer.status())).isNotEqualTo(ErrorCode.INTERNAL);
            }
        }
        link.close();
    }

    /** The next answer, if there is one; a long poll has none yet. */
    private static @Nullable Answer next(LocalNamenode namenode, FrameLink link) {
        try {
            return link.receive();
        } catch (IOException e) {
            namenode.tick();
            return null;
        }
    }

    private byte[] mutate(byte[] control) {
        byte[] changed = control.clone();
        switch (random.nextInt(6)) {
            case 0 -> random.nextBytes(changed);
            case 1 -> {
                return Arrays.copyOf(changed, random.nextInt(changed.length + 1));
            }
            case 2 -> {
                return Arrays.copyOf(changed, changed.length + random.nextInt(50));
            }
            case 3 -> {
                if (changed.length >= 4) {
                    ByteBuffer.wrap(changed)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(random.nextInt(changed.length - 3), strangeInt());
                }
            }
            default -> {
                for (int i = random.nextInt(3); i >= 0 && changed.length > 0; i--) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                }
            }
        }
        return changed;
    }

    private int strangeInt() {
        int[] strange = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0xFFFF, 1 << 20, 255};
        return strange[random.nextInt(strange.length)];
    }

    @Test
    void noiseOnTheNetworkDisturbsNobody() throws IOException {
        try (TestNamenode namenode =
                        TestNamenode.start(Files.createTempDirectory(temporary, "net"));
                TestSession good = namenode.session("good")) {
            good.touch("/precious");
            for (int i = 0; i < 300; i++) {
                try (WireConnection noise = namenode.connect()) {
                    if (random.nextBoolean()) {
                        noise.hello(FrameLink.helloOf(Hello.ROLE_CLIENT, 0, new byte[16]));
                    }
                    byte[] bytes = new byte[1 + random.nextInt(5000)];
                    random.nextBytes(bytes);
                    if (random.nextBoolean()) {
                        // A good header over noise.
                        byte[] frame =
                                FrameLink.frame(
                                        new Header(
                                                random.nextInt(4) * 2,
                                                random.nextInt(140),
                                                1,
                                                0,
                                                0),
                                        bytes,
                                        FrameLink.NO_PAYLOAD);
                        noise.send(frame);
                    } else {
                        noise.send(bytes);
                    }
                    noise.endOutput();
                    assertThat(noise.awaitClosed()).isTrue();
                }
                assertThat(good.lookup("/precious").type()).isEqualTo(NodeType.FILE);
            }
            good.touch("/more");
        }
    }
}
