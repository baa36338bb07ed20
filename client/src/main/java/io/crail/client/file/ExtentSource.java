// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.protocol.block.Extent;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where fresh extents of a node come from. */
@FunctionalInterface
interface ExtentSource {
    /** Extents from the one that holds the offset; on the operation's strand. */
    CompletableFuture<List<Extent>> fetch(Operation operation, long offset);
}
