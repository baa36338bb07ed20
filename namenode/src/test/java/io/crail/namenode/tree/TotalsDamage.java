// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/** Makes sums wrong, for tests of what finds and repairs them. */
public final class TotalsDamage {
    private TotalsDamage() {}

    public static void addFiles(ContainerNode container, long more) {
        container.below.files += more;
    }

    public static void addBlocks(ContainerNode container, int storageClass, long bytes) {
        ClassBytes more = new ClassBytes();
        more.add(storageClass, bytes);
        container.below.addBlocks(more, 1);
    }
}
