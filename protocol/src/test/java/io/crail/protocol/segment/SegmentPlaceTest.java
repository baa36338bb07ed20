// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentPlaceTest {
    @TempDir private Path directory;

    private Path elsewhere(String name) throws IOException {
        Path made = Files.createDirectory(directory.resolve(name));
        Files.createFile(made.resolve("segment-0"));
        Files.createFile(made.resolve("segment-12"));
        Files.createFile(made.resolve("lock"));
        return made;
    }

    @Test
    void whatWasPutIsFoundUntilItIsCleared() throws IOException {
        SegmentPlace place = new SegmentPlace(directory);
        assertThat(place.elsewhere()).isEmpty();
        place.put(Path.of("/huge/a b/\u00e4"));
        assertThat(place.elsewhere()).contains(Path.of("/huge/a b/\u00e4"));
        place.put(Path.of("/other"));
        assertThat(place.elsewhere()).contains(Path.of("/other"));
        place.clear();
        assertThat(place.elsewhere()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDamagedFileIsNotFollowed() throws IOException {
        for (String damaged : new String[] {"", "relative", "/a\0b"}) {
            Files.writeString(directory.resolve(SegmentPlace.FILE), damaged);
            assertThatThrownBy(() -> new SegmentPlace(directory).elsewhere())
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(directory.toString());
        }
    }

    @Test
    void removalLeavesWhatIsNotOurs() throws IOException {
        Path elsewhere = elsewhere("elsewhere");
        Files.createFile(elsewhere.resolve("segment-of-others"));
        SegmentPlace.remove(elsewhere);
        assertThat(elsewhere).isDirectoryContaining("glob:**/segment-of-others");
        assertThat(SegmentPlace.hasSegments(elsewhere)).isFalse();
        Files.delete(elsewhere.resolve("segment-of-others"));
        SegmentPlace.remove(elsewhere);
        assertThat(elsewhere).doesNotExist();
        SegmentPlace.remove(elsewhere);
    }

    @Test
    void whatSeveralServersHaveElsewhereIsRemoved() throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Path one = elsewhere("one");
        Path two = elsewhere("two");
        Path kept = elsewhere("kept");
        new SegmentPlace(Files.createDirectory(data.resolve("storage-0"))).put(one);
        new SegmentPlace(Files.createDirectory(data.resolve("storage-1"))).put(two);
        Files.createDirectory(data.resolve("storage-2"));
        SegmentPlace.removeElsewhereOfAll(data);
        assertThat(one).doesNotExist();
        assertThat(two).doesNotExist();
        assertThat(SegmentPlace.segments(kept)).hasSize(2);
        SegmentPlace.removeElsewhereOfAll(directory.resolve("missing"));
    }
}
