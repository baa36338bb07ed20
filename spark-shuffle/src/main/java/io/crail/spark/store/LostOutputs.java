// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.storage.BlockManagerId;

/**
 * Tells the driver of map outputs that cannot be read any more.
 *
 * @param shuffle number of the shuffle
 * @param outputs those that are lost
 */
public record LostOutputs(int shuffle, List<Output> outputs) implements Serializable {
    private static final long serialVersionUID = 1;

    /** A copy that can be sent. */
    public LostOutputs {
        outputs = List.copyOf(outputs);
    }

    /**
     * One of them.
     *
     * @param mapIndex number of the map
     * @param place where Spark thinks that it is; another attempt has another place
     */
    public record Output(int mapIndex, BlockManagerId place) implements Serializable {
        private static final long serialVersionUID = 1;
    }
}
