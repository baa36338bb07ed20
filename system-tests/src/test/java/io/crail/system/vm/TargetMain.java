// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Our target in a process of its own: FILE BYTES BLOCK PORT NQN. Serves until it is killed. */
public final class TargetMain {
    /** Printed when it serves. */
    public static final String READY = "target ready";

    private TargetMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        NamespaceConfig namespace =
                NamespaceConfig.of(Path.of(arguments[0]), Long.parseLong(arguments[1]))
                        .withBlockBytes(Integer.parseInt(arguments[2]));
        TargetConfig config =
                TargetConfig.builder(arguments[4], namespace)
                        .bind(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(),
                                        Integer.parseInt(arguments[3])))
                        .anyHost(true)
                        .build();
        try (NvmeTarget target = NvmeTarget.start(config)) {
            System.out.println(READY);
            System.err.println("serving at " + target.address());
            Thread.currentThread().join();
        }
    }
}
