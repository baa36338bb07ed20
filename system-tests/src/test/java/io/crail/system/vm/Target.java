// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

/**
 * A target that the initiator in the guest is tried with, wherever it runs. For one thread at a
 * time.
 */
interface Target extends AutoCloseable {
    /** As the guest reaches it. */
    String address();

    int port();

    String nqn();

    /** Ends it without a word to its initiators; what they have written stays. */
    void kill();

    /** Serves again at the same address, after {@link #kill}. */
    void restart();

    @Override
    void close();
}
