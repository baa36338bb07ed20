// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import picocli.CommandLine.Option;

/** How a command shows sizes: the last of two options wins. Mixed into the commands that do. */
final class SizeStyle {
    private boolean human;

    @Option(
            names = {"-h", "--human"},
            description = "Shows sizes with units of 1024, rounded.")
    void human(boolean wanted) {
        human |= wanted;
    }

    @Option(
            names = {"-b", "--bytes"},
            description = "Shows exact bytes, as is the default.")
    void bytes(boolean wanted) {
        human &= !wanted;
    }

    String text(long bytes) {
        return Attributes.size(bytes, human);
    }
}
