// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EpochFileTest {
    @TempDir Path directory;

    private long reserve(long atLeast) throws IOException {
        return EpochFile.reserve(MetadataFiles.ofSystem(), directory, atLeast);
    }

    @Test
    void epochsRiseWhateverTheLogRemembers() throws IOException {
        assertThat(reserve(1)).isEqualTo(1);
        assertThat(reserve(2)).isEqualTo(2);
        assertThat(reserve(1)).as("the log was cut").isEqualTo(3);
        assertThat(reserve(10)).isEqualTo(10);
        assertThat(reserve(4)).isEqualTo(11);
    }

    @Test
    void aDamagedFileIsRefusedByName() throws IOException {
        Files.writeString(directory.resolve("epoch"), "twelve\n");
        assertThatThrownBy(() -> reserve(1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(directory.resolve("epoch").toString());
    }
}
