// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.SharedMemoryConfig;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.DirectIo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The built-in target in a process of its own, as it is shipped: prints its port and serves until
 * its standard input ends, so that it does not outlive whoever started it.
 */
final class TargetMain {
    private static final long SHARED_BYTES = 256L << 20;

    private TargetMain() {}

    /** Its arguments are the file, which exists, and a directory in memory. */
    public static void main(String[] arguments) throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(Path.of(arguments[0]), 0).withDirect(DirectIo.REQUIRED);
        TargetConfig config =
                TargetConfig.builder(TargetProcess.SUBSYSTEM, namespace)
                        .anyHost(true)
                        .sharedMemory(
                                new SharedMemoryConfig(
                                        Path.of(arguments[1]), UUID.randomUUID(), SHARED_BYTES))
                        .build();
        try (NvmeTarget target = NvmeTarget.start(config)) {
            System.out.println(target.address().getPort());
            System.out.flush();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
