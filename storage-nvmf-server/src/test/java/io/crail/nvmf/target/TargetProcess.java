// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.host.TestHost;
import java.io.IOException;
import java.nio.file.Path;

/** A target in a process of its own: prints its port and serves until its input ends. */
final class TargetProcess {
    private TargetProcess() {}

    /** The file to serve, and its size. */
    public static void main(String[] args) throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(Path.of(args[0]), Long.parseLong(args[1]))
                        .withAllocation(Allocation.SPARSE);
        TargetConfig config =
                TargetConfig.builder(TestHost.SUBSYSTEM, namespace).anyHost(true).build();
        try (NvmeTarget target = NvmeTarget.start(config)) {
            System.out.println(target.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // until the test ends this process
            }
        }
    }
}
