// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlashDirectoryTest {
    private static final long GIB = 1L << 30;

    @TempDir private Path directory;

    @Test
    void itIsADirectoryOfItsOwnInTheOneThatWasNamed() throws IOException {
        Path state = directory.resolve("state").resolve("default");
        FlashDirectory place = FlashDirectory.choose(state, directory);
        assertThat(place.path().getParent()).isEqualTo(directory);
        assertThat(place.path()).doesNotExist();
        assertThat(place.usable()).isPositive();
        assertThat(FlashDirectory.choose(state, directory).path()).isEqualTo(place.path());
        assertThat(FlashDirectory.choose(directory.resolve("default"), directory).path())
                .isNotEqualTo(place.path());
    }

    @Test
    void aDirectoryThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> FlashDirectory.choose(directory, directory.resolve("missing")))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeAnythingIsStarted() throws Exception {
        FlashDirectory place = new FlashDirectory(directory, GIB);
        assertThat(place.of(new ByteSize(GIB / 2 + 1)).size().bytes()).isEqualTo(GIB / 2);
        assertThatThrownBy(() -> place.of(new ByteSize(GIB)))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("1.0 GiB");
        assertThat(place.upTo(new ByteSize(4 * GIB), GIB / 2)).isPresent();
        assertThat(place.upTo(new ByteSize(4 * GIB), GIB)).isEmpty();
    }
}
