// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import java.io.IOException;

/** What RDMA needs of the JVM and of the machine. Stateless. */
final class RdmaSupport {
    private static final String PACKAGE = "sun.nio.ch";

    /** What the JVM has to be started with: DiSNI takes addresses of buffers from that package. */
    static final String FLAG = "--add-exports java.base/" + PACKAGE + "=ALL-UNNAMED";

    private RdmaSupport() {}

    /** Fails if RDMA cannot be used here. */
    static void check() throws NvmeUnsupportedException {
        if (!Object.class.getModule().isExported(PACKAGE, MemoryUtils.class.getModule())) {
            throw new NvmeUnsupportedException(
                    "NVMe over RDMA needs this JVM to be started with "
                            + FLAG
                            + ", as bin/crail does once native-rdma/build.sh has made the native"
                            + " library; NVMe over TCP needs neither");
        }
        try {
            int unused = RdmaEventChannel.createEventChannel().destroyEventChannel();
        } catch (LinkageError e) {
            throw new NvmeUnsupportedException(
                    "NVMe over RDMA needs libdisni.so, which native-rdma/build.sh makes, in"
                            + " -Djava.library.path (now "
                            + System.getProperty("java.library.path")
                            + "), and the packages librdmacm1 and ibverbs-providers: "
                            + e,
                    e);
        } catch (IOException e) {
            throw new NvmeUnsupportedException(
                    "RDMA cannot be used on this machine: "
                            + e.getMessage()
                            + ". Is there a device (rdma link), and is the module rdma_ucm loaded?",
                    e);
        }
    }
}
