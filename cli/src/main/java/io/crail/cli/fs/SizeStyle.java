// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import picocli.CommandLine.Option;

/**
 * How a command shows sizes: the last of two options wins. Mixed into the commands that do. Options
 * have an order, since reflection finds methods in any.
 */
final class SizeStyle {
    private boolean human;

    @Option(
            names = {"-h", "--human"},
            order = 1,
            description = "Shows sizes with units of 1024, rounded.")
    void human(boolean wanted) {
        human |= wanted;
    }

    @Option(
            names = {"-b", "--bytes"},
            order = 2,
            description = "Shows exact bytes, as is the default.")
    void bytes(boolean wanted) {
        human &= !wanted;
    }

    String text(long bytes) {
        return Attributes.size(bytes, human);
    }
}
