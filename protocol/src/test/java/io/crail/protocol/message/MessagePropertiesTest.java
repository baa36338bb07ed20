// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.crail.error.ProtocolException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every message, whatever its contents, and for bytes that are no message. */
class MessagePropertiesTest {
    /**
     * Memory that decoding may take: this much per byte of the message, for records and views of
     * the smallest fields, and a fixed part for an exception and its stack trace.
     */
    private static final long ALLOCATED_PER_BYTE = 256;

    private static final long ALLOCATED_ANYWAY = 32 << 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Provide
    Arbitrary<MessageCodec> codecs() {
        return Arbitraries.of(MessageCodec.all());
    }

    @Property(tries = 3000)
    void decodingGivesWhatWasEncoded(@ForAll("codecs") MessageCodec codec, @ForAll long seed)
            throws ProtocolException {
        Message message = RandomMessages.of(codec, new Random(seed));
        byte[] encoded = MessageCodec.encode(message);
        Message decoded = codec.decode(encoded);
        assertThat(decoded).usingRecursiveComparison().isEqualTo(message);
        assertThat(MessageCodec.encode(decoded)).isEqualTo(encoded);
    }

    @Property(tries = 1000)
    void appendedFieldsAreIgnored(@ForAll("codecs") MessageCodec codec, @ForAll long seed)
            throws ProtocolException {
        Random random = new Random(seed);
        byte[] encoded = MessageCodec.encode(RandomMessages.of(codec, random));
        byte[] longer = Arrays.copyOf(encoded, encoded.length + 1 + random.nextInt(40));
        for (int i = encoded.length; i < longer.length; i++) {
            longer[i] = (byte) random.nextInt();
        }
        assertThat(MessageCodec.encode(codec.decode(longer))).isEqualTo(encoded);
    }

    @Property(tries = 500)
    void everyTruncationIsRefused(@ForAll("codecs") MessageCodec codec, @ForAll long seed)
            throws ProtocolException {
        byte[] encoded = MessageCodec.encode(RandomMessages.of(codec, new Random(seed)));
        for (int length = 0; length < encoded.length; length++) {
            if (codec.olderLengths(encoded).contains(length)) {
                continue;
            }
            byte[] cut = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(ProtocolException.class);
        }
    }

    @Property(tries = 4000)
    void mutatedBytesGiveAValueOrARefusal(@ForAll("codecs") MessageCodec codec, @ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = MessageCodec.encode(RandomMessages.of(codec, random));
        if (bytes.length > 0) {
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                // All ones and all zeros make absurd counts and lengths likely.
                int value = random.nextInt(3);
                bytes[random.nextInt(bytes.length)] =
                        (byte) (value == 0 ? 0 : value == 1 ? 0xFF : random.nextInt());
            }
        }
        decodeWithinBounds(codec, bytes);
    }

    @Property(tries = 4000)
    void randomBytesGiveAValueOrARefusal(@ForAll("codecs") MessageCodec codec, @ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            // Many zeros: small counts and valid enumerations, so that decoding gets far.
            bytes[i] = random.nextInt(3) == 0 ? bytes[i] : 0;
        }
        decodeWithinBounds(codec, bytes);
    }

    @Property(tries = 300)
    void equalBytesGiveAValueOrARefusal(@ForAll("codecs") MessageCodec codec, @ForAll byte value) {
        byte[] bytes = new byte[70_000];
        Arrays.fill(bytes, value);
        decodeWithinBounds(codec, bytes);
    }

    /** A decoder that fails with anything but ProtocolException makes the codec fail the test. */
    private static void decodeWithinBounds(MessageCodec codec, byte[] bytes) {
        long allowed = ALLOCATED_ANYWAY + ALLOCATED_PER_BYTE * bytes.length;
        long allocated = Long.MAX_VALUE;
        // The first runs of some code load classes, which is no cost of the message.
        for (int run = 0; run < 5 && allocated > allowed; run++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            boolean refused = refuses(codec, bytes);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(refuses(codec, bytes)).isEqualTo(refused);
        }
        assertThat(allocated)
                .as("bytes allocated for %s bytes of %s", bytes.length, codec)
                .isLessThanOrEqualTo(allowed);
    }

    private static boolean refuses(MessageCodec codec, byte[] bytes) {
        try {
            codec.decode(bytes);
            return false;
        } catch (ProtocolException e) {
            return true;
        }
    }
}
