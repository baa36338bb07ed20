// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallsTest {
    private static final int BYTES = 16 << 20;

    @TempDir private Path directory;

    @Test
    void callsGoThroughATargetInAnotherProcessWhichEndsWithThem() throws IOException {
        MeasuredFile file = MeasuredFile.make(directory.resolve("bench.img"), BYTES);
        byte[] before = Files.readAllBytes(file.path());
        ProcessHandle process;
        try (TargetProcess target = TargetProcess.start(file.path());
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(target.address())) {
            process = target.handle();
            assertThat(process.pid()).isNotEqualTo(ProcessHandle.current().pid());
            for (Access access :
                    List.of(
                            new Access(Access.Kind.RANDOM_READ, 4 << 10, 32),
                            new Access(Access.Kind.READ, 1 << 20, 8))) {
                Calls calls = new Calls(controller.namespace(1), access, BYTES);
                assertThat(calls.keepUnderWay(1).count()).isGreaterThanOrEqualTo(access.depth());
                assertThat(calls.oneByOne(Long.MAX_VALUE / 2, 20).count()).isEqualTo(20);
            }
            Access lent = new Access(Access.Kind.READ_IN_PLACE, 1 << 20, 8);
            Calls lentCalls = new Calls(controller.namespace(1), lent, BYTES);
            long posted = 0;
            long inPlace = -1;
            for (int run = 0; run < 100 && inPlace < posted - 1; run++) {
                long already = lentCalls.inPlace();
                posted = lentCalls.keepUnderWay(20_000_000).count();
                inPlace = lentCalls.inPlace() - already;
            }
            assertThat(inPlace)
                    .as("all but the first of %d, once memory is shared", posted)
                    .isEqualTo(posted - 1);
            assertThat(Files.readAllBytes(file.path())).isEqualTo(before);
            Access writes = new Access(Access.Kind.WRITE, 1 << 20, 8);
            new Calls(controller.namespace(1), writes, BYTES).keepUnderWay(1);
            byte[] after = Files.readAllBytes(file.path());
            assertThat(Arrays.mismatch(before, after)).isBetween(0, 8 << 10);
        }
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void filesThatCannotBeMeasuredAreRefusedBeforeAnythingIsWritten() throws IOException {
        Path path = directory.resolve("bench.img");
        assertThatThrownBy(() -> MeasuredFile.make(path, 1 << 20))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("16");
        assertThatThrownBy(() -> MeasuredFile.make(path, 1L << 60))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("--file");
        assertThat(path).doesNotExist();
        assertThatThrownBy(() -> MeasuredFile.existing(directory, BYTES))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("directory");
        Files.write(path, new byte[BYTES + 5]);
        assertThat(MeasuredFile.existing(path, 1L << 40))
                .isEqualTo(new MeasuredFile(path, BYTES, false));
    }
}
