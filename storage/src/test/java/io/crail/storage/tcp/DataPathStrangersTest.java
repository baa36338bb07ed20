// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.error.ErrorCode;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clients of the data path that are slow, broken, hostile, or too many. */
abstract class DataPathStrangersTest extends DataServiceFixture {
    DataPathStrangersTest(String transport) {
        super(transport);
    }

    @Test
    void aReaderThatWasSlowGetsAllItAskedFor() throws IOException {
        RawClient reader = client();
        byte[] data = bytes(MIB, 1);
        reader.write(block(0, MIB), 0, data).success();
        for (int i = 0; i < 40; i++) {
            reader.send(new Read.Request(block(0, MIB), 0, MIB, 0), NOTHING);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(reader.receive().success().payload()).isEqualTo(data);
        }
        assertThat(reader.ping().status()).isZero();
    }

    @Test
    void aReaderThatTakesNothingIsDropped() throws IOException {
        start(new ServiceLimits(100, LONG, LONG, SHORT, LONG));
        RawClient reader = new RawClient(service.port(), 4096);
        clients.add(reader);
        reader.hello(GRANTS.session(), GRANTS.ticket()).success();
        byte[] request = RawClient.frame(new Read.Request(block(0, MIB), 0, MIB, 0), 1, NOTHING);
        ByteBuffer requests = ByteBuffer.allocate(50 * request.length);
        while (requests.hasRemaining()) {
            requests.put(request);
        }
        reader.sendRaw(requests.array()); // At once: none is sent after it was dropped.
        await().until(() -> service.statistics().connections() == 0);
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aStrayHttpRequestClosesItsConnectionOnly() throws IOException {
        RawClient good = client();
        for (String request :
                List.of(
                        "GET / HTTP/1.1\r\n\r\n",
                        "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
                        "HELP")) {
            RawClient stray = stranger();
            stray.sendRaw(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(stray.isClosedByServer()).isTrue();
        }
        assertThat(good.ping().status()).isZero();
    }

    @Test
    void malformedFramesCloseTheirConnectionOnly() throws IOException {
        RawClient good = client();
        List<byte[]> malformed = new ArrayList<>();
        for (int length : new int[] {0, 47, -1, Integer.MAX_VALUE, ConnectionInput.MAX_FRAME + 1}) {
            malformed.add(patched(FrameHeader.LENGTH, length));
        }
        for (int control : new int[] {-1, 1, Integer.MAX_VALUE}) {
            malformed.add(patched(FrameHeader.CONTROL_LENGTH, control));
        }
        malformed.add(patched(FrameHeader.VERSION, 0x00200002 | (2 << 16)));
        for (byte[] frame : malformed) {
            RawClient bad = client();
            bad.sendRaw(frame);
            assertThat(bad.isClosedByServer()).isTrue();
        }
        assertThat(good.ping().status()).isZero();
    }

    private static byte[] patched(int at, int value) {
        byte[] frame = RawClient.frame(new Ping.Request(), 1, NOTHING);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return frame;
    }

    @Test
    void anUnknownRequestIsAnsweredAndTheConnectionGoesOn() throws IOException {
        RawClient client = client();
        client.sendRaw(RawClient.frame(new Ping.Request(), 250, 5, bytes(5000, 1)));
        assertThat(client.receive().status()).isEqualTo(ErrorCode.PROTOCOL.wire());
        assertThat(client.ping().status()).isZero();
    }

    @Test
    void randomBytesNeverDisturbOthers() throws IOException {
        RawClient good = client();
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            RawClient bad = round % 2 == 0 ? stranger() : client();
            byte[] noise = bytes(1 + random.nextInt(300), round);
            if (round % 3 == 0) {
                noise = RawClient.frame(new Read.Request(block(0, 4096), 0, 4096, 1), 1, NOTHING);
                noise[random.nextInt(noise.length)] ^= (byte) (1 << random.nextInt(8));
            }
            bad.sendRaw(noise);
            bad.close();
        }
        assertThat(good.ping().status()).isZero();
        await().until(() -> service.statistics().connections() == 1);
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aClientThatStallsWithinAFrameIsDropped() throws IOException {
        start(new ServiceLimits(100, LONG, SHORT, LONG, LONG));
        RawClient idle = client();
        RawClient inHeader = client();
        inHeader.sendRaw(new byte[] {105, 0, 0, 0});
        RawClient inPayload = client();
        byte[] frame =
                RawClient.frame(new Write.Request(block(0, MIB), 0, new int[0]), 9, bytes(MIB, 1));
        inPayload.sendRaw(Arrays.copyOf(frame, 50_000));
        assertThat(inHeader.isClosedByServer()).isTrue();
        assertThat(inPayload.isClosedByServer()).isTrue();
        assertThat(idle.ping().status()).isZero();
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aClientThatSaysNothingIsDropped() throws IOException {
        start(new ServiceLimits(100, SHORT, LONG, LONG, LONG));
        RawClient good = clientInTime();
        assertThat(stranger().isClosedByServer()).isTrue();
        assertThat(good.ping().status()).isZero();
    }

    /** A client whose hello came before the server's short patience ended. */
    private RawClient clientInTime() {
        return await().ignoreExceptionsInstanceOf(IOException.class)
                .until(this::client, client -> true);
    }

    @Test
    void aKilledWriterLeavesNothingHeld() throws IOException {
        RawClient writer = client();
        byte[] frame =
                RawClient.frame(new Write.Request(block(0, MIB), 0, new int[0]), 9, bytes(MIB, 1));
        writer.sendRaw(Arrays.copyOf(frame, 50_000));
        await().until(() -> service.statistics().inFlight() == 1);
        writer.reset();
        await().until(() -> service.statistics().inFlight() == 0);
        await().until(() -> service.statistics().connections() == 0);
        assertServesOthers();
    }

    @Test
    void aHalfClosedClientGetsItsAnswers() throws IOException {
        RawClient client = client();
        byte[] data = bytes(MIB, 1);
        client.send(new Write.Request(block(0, MIB), 0, new int[0]), data);
        for (int i = 0; i < 8; i++) {
            client.send(new Read.Request(block(0, MIB), 0, MIB, 0), NOTHING);
        }
        client.shutdownOutput();
        client.receive().success();
        for (int i = 0; i < 8; i++) {
            assertThat(client.receive().success().payload()).isEqualTo(data);
        }
        assertThat(client.isClosedByServer()).isTrue();
        await().until(() -> service.statistics().connections() == 0);
    }

    @Test
    void aClientHalfClosedWithinAFrameIsClosed() throws IOException {
        RawClient client = client();
        client.sendRaw(new byte[] {105, 0, 0, 0, 1});
        client.shutdownOutput();
        assertThat(client.isClosedByServer()).isTrue();
    }

    @Test
    void connectionsBeyondTheLimitAreTurnedAway() throws IOException {
        start(new ServiceLimits(2, LONG, LONG, LONG, LONG));
        RawClient one = client();
        RawClient two = client();
        assertThat(stranger().isClosedByServer()).isTrue();
        two.close();
        await().until(() -> service.statistics().connections() == 1);
        assertThat(client().ping().status()).isZero();
        assertThat(one.ping().status()).isZero();
    }
}
