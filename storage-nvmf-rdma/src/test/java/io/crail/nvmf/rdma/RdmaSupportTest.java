// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import org.junit.jupiter.api.Test;

/** The tests run without the flag. */
class RdmaSupportTest {
    @Test
    void missingFlagIsSaid() {
        assertThatThrownBy(() -> Fabrics.open(Fabrics.RDMA))
                .isInstanceOf(NvmeUnsupportedException.class)
                .hasMessageContaining("--add-exports java.base/sun.nio.ch=ALL-UNNAMED");
    }
}
