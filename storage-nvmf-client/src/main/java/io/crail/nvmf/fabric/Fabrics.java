// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.queue.QueueFactory;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds fabrics by their scheme. Stateless. */
public final class Fabrics {
    public static final String TCP = "tcp";
    public static final String RDMA = "rdma";

    private Fabrics() {}

    /**
     * Our own initiator over queues of a kind of network, for its provider.
     *
     * @param queues closed with the fabric, and not if that cannot be opened
     */
    public static Fabric over(QueueFactory queues) throws NvmeException {
        return new InitiatorFabric(queues);
    }

    /**
     * Opens the fabric of a scheme.
     *
     * @throws NvmeUnsupportedException if there is none on the class path, with what to do
     */
    public static Fabric open(String scheme) throws NvmeException {
        TreeSet<String> known = new TreeSet<>();
        for (FabricProvider provider :
                ServiceLoader.load(FabricProvider.class, Fabrics.class.getClassLoader())) {
            if (provider.scheme().equals(scheme)) {
                return provider.open();
            }
            known.add(provider.scheme());
        }
        throw new NvmeUnsupportedException(
                scheme.equals(RDMA)
                        ? "NVMe over RDMA needs the artifact crail-storage-nvmf-rdma on the class"
                                + " path; add it, or name the target with tcp:"
                        : "no fabric '" + scheme + "' is known, only " + known);
    }
}
