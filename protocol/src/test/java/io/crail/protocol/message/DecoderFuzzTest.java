// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.ProtocolException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that were valid once and were changed in some places, for a while: every decoder gives a
 * value or refuses, and what it gives can be encoded again. {@code -Dcrail.fuzz.seconds} says how
 * long, {@code -Dcrail.seed} repeats a run.
 */
@Tag("faults")
class DecoderFuzzTest {
    private static final Duration TIME =
            Duration.ofSeconds(Integer.getInteger("crail.fuzz.seconds", 60));

    private final long seed = Long.getLong("crail.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    @Timeout(600)
    void changedMessagesGiveAValueOrARefusal() {
        List<MessageCodec> codecs = MessageCodec.all();
        List<byte[]> corpus = codecs.stream().map(codec -> codec.golden().bytes()).toList();
        long end = System.nanoTime() + TIME.toNanos();
        long values = 0;
        long refusals = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < codecs.size(); i++) {
                // Now and then the bytes of another message.
                int from = random.nextInt(20) == 0 ? random.nextInt(corpus.size()) : i;
                if (decode(codecs.get(i), changed(corpus.get(from), corpus))) {
                    values++;
                } else {
                    refusals++;
                }
            }
        }
        assertThat(values).isPositive();
        assertThat(refusals).isPositive();
    }

    private boolean decode(MessageCodec codec, byte[] bytes) {
        try {
            Message message = codec.decode(bytes);
            assertThat(MessageCodec.encode(message)).isNotNull();
            return true;
        } catch (ProtocolException e) {
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    codec.goldenFile()
                            + " with "
                            + HexFormat.of().formatHex(bytes)
                            + ", seed "
                            + seed,
                    e);
        }
    }

    private byte[] changed(byte[] valid, List<byte[]> corpus) {
        byte[] bytes = valid.clone();
        for (int n = 1 + random.nextInt(6); n > 0; n--) {
            bytes = changedOnce(bytes, corpus);
        }
        return bytes;
    }

    private byte[] changedOnce(byte[] bytes, List<byte[]> corpus) {
        if (bytes.length == 0) {
            byte[] some = new byte[random.nextInt(40)];
            random.nextBytes(some);
            return some;
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) 0xFF);
            case 3 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 4), (byte) 0);
            case 4 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 5 -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(16));
                System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
                return longer;
            }
            default -> {
                byte[] other = corpus.get(random.nextInt(corpus.size()));
                int length = Math.min(bytes.length - at, other.length);
                System.arraycopy(other, 0, bytes, at, length);
            }
        }
        return bytes;
    }
}
