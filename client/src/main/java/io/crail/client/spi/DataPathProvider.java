// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

/** Makes data paths of one transport; found with ServiceLoader. */
public interface DataPathProvider {
    /** Name of the transport in the endpoints of storage servers, {@code tcp}. */
    String transport();

    /**
     * Whether it reaches servers on this host only, at less cost than a network: then it is tried
     * before all others, wherever it stands among the endpoints of a server.
     */
    default boolean isLocal() {
        return false;
    }

    /** Whether its paths know {@link DataPath#ask}. */
    default boolean carriesQuestions() {
        return false;
    }

    /** A path to a server. Does not block and does not fail: errors show at the transfers. */
    DataPath open(DataPeer peer, IoContext io);
}
