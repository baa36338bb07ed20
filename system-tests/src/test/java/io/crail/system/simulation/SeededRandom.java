// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.SplittableRandom;

/** A source of tokens and keys that a seed determines; nothing secure about it. */
final class SeededRandom extends SecureRandom {
    private static final long serialVersionUID = 1;

    SeededRandom(long seed) {
        super(new Source(seed), null);
    }

    private static final class Source extends SecureRandomSpi {
        private static final long serialVersionUID = 1;

        private final transient SplittableRandom random;

        Source(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        protected void engineSetSeed(byte[] seed) {
            throw new UnsupportedOperationException("it has its seed");
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            random.nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            return bytes;
        }
    }
}
