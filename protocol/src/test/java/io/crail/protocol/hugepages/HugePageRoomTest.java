// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.hugepages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.protocol.hugepages.HugePageRoom.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugePageRoomTest {
    private static final long PAGE = 2L << 20;

    @TempDir private Path root;

    @BeforeEach
    void kernel() throws IOException {
        file("proc/meminfo", "HugePages_Total:     100\nHugepagesize:       2048 kB\n");
        pool(2048, 100, 60, 10, 0, 0);
    }

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void pool(long kib, long all, long free, long reserved, long overcommit, long surplus)
            throws IOException {
        String pool = "sys/kernel/mm/hugepages/hugepages-" + kib + "kB/";
        file(pool + "nr_hugepages", all + "\n");
        file(pool + "free_hugepages", free + "\n");
        file(pool + "resv_hugepages", reserved + "\n");
        file(pool + "nr_overcommit_hugepages", overcommit + "\n");
        file(pool + "surplus_hugepages", surplus + "\n");
    }

    private HugePageRoom room() throws IOException {
        return HugePageRoom.of(root, PAGE, 0, 0);
    }

    @Test
    void reservedPagesAreNotFree() throws IOException {
        HugePageRoom room = room();
        assertThat(room.available()).isEqualTo(50);
        assertThat(room.limit()).isEqualTo(Limit.POOL);
        assertThat(room.remedy(root, 80)).isEqualTo("as root: sysctl -w vm.nr_hugepages=130");
    }

    @Test
    void pagesThatThePoolMayAddCount() throws IOException {
        pool(2048, 100, 60, 10, 30, 20);
        assertThat(room().available()).isEqualTo(60);
        pool(2048, 100, 60, 10, 30, 40);
        assertThat(room().available()).isEqualTo(50);
    }

    @Test
    void theSizeOfTheMountLimits() throws IOException {
        HugePageRoom room = HugePageRoom.of(root, PAGE, 40 * PAGE, 30 * PAGE);
        assertThat(room.available()).isEqualTo(30);
        assertThat(room.limit()).isEqualTo(Limit.MOUNT);
        assertThat(room.remedy(root, 40)).contains("remount,size=", "20 MiB more");
        assertThat(HugePageRoom.of(root, PAGE, 400 * PAGE, 300 * PAGE).limit())
                .isEqualTo(Limit.POOL);
    }

    @Test
    void aPoolOfAnotherSizeIsSetElsewhere() throws IOException {
        pool(1 << 20, 2, 1, 0, 0, 0);
        HugePageRoom room = HugePageRoom.of(root, 1L << 30, 0, 0);
        assertThat(room.remedy(root, 4))
                .isEqualTo(
                        "as root: echo 5 >"
                                + " /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages");
    }

    @Test
    void aControlGroupOfVersion2AboveTheProcessLimits() throws IOException {
        file("proc/self/cgroup", "0::/pod/container\n");
        file("sys/fs/cgroup/pod/hugetlb.2MB.max", 20 * PAGE + "\n");
        file("sys/fs/cgroup/pod/hugetlb.2MB.current", 8 * PAGE + "\n");
        file("sys/fs/cgroup/pod/container/hugetlb.2MB.max", "max\n");
        file("sys/fs/cgroup/pod/container/hugetlb.2MB.current", 8 * PAGE + "\n");
        HugePageRoom room = room();
        assertThat(room.available()).isEqualTo(12);
        assertThat(room.limit()).isEqualTo(Limit.CONTROL_GROUP);
        assertThat(room.remedy(root, 15)).contains("hugetlb.2MB.max by 6 MiB", "hugepages-2Mi ");
    }

    /**
     * A container sees the path that its group has outside, but only its own group, as the root.
     */
    @Test
    void aControlGroupOfVersion1LimitsEvenIfItsPathCannotBeSeen() throws IOException {
        file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,hugetlb:/docker/abc\n0::/\n");
        file("sys/fs/cgroup/hugetlb/hugetlb.2MB.limit_in_bytes", 3 * PAGE + "\n");
        file("sys/fs/cgroup/hugetlb/hugetlb.2MB.usage_in_bytes", 4 * PAGE + "\n");
        assertThat(room().available()).isZero();
        assertThat(room().limit()).isEqualTo(Limit.CONTROL_GROUP);
    }

    @Test
    void controlGroupsThatSayNothingDoNotLimit() throws IOException {
        file("proc/self/cgroup", "0::/../..\nnonsense\n");
        file("sys/fs/cgroup/hugetlb.2MB.max", "max\n");
        assertThat(room().limit()).isEqualTo(Limit.POOL);
    }

    @Test
    void aKernelWithoutSuchPagesIsAnError() {
        assertThatThrownBy(() -> HugePageRoom.of(root, 64L << 10, 0, 0))
                .isInstanceOf(NoSuchFileException.class);
    }
}
