// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.DirectIo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * The built-in target in a process of its own, as it is shipped: prints its port and serves until
 * its standard input ends, so that it does not outlive whoever started it.
 */
final class TargetMain {
    private TargetMain() {}

    /** Its argument is the file, which exists. */
    public static void main(String[] arguments) throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(Path.of(arguments[0]), 0).withDirect(DirectIo.REQUIRED);
        TargetConfig config =
                TargetConfig.builder(TargetProcess.SUBSYSTEM, namespace).anyHost(true).build();
        try (NvmeTarget target = NvmeTarget.start(config)) {
            System.out.println(target.address().getPort());
            System.out.flush();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
