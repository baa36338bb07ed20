// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found on machines of all kinds; each is a directory of files as the kernel has them. */
class MachineChecksTest {
    private static final long GIB = 1L << 30;

    @TempDir private Path root;
    private Machine.Space space = new Machine.Space("tmpfs", 16 * GIB, 16 * GIB, 4096);

    private Machine machine() {
        return new Machine(root, path -> space, host -> List.of(InetAddress.getLoopbackAddress()));
    }

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void limits(String files, String locked) throws IOException {
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max open files            256                  "
                        + files
                        + "             files\n"
                        + "Max locked memory         65536                "
                        + locked
                        + "             bytes\n");
    }

    @ParameterizedTest
    @CsvSource({
        "512, problem: a process may have 512 open files",
        "1023, problem",
        "1024, warning: a process may have 1024 open files",
        "16384, ok: a process may have 16384 open files",
        "unlimited, ok: a process may have any number of open files"
    })
    void theHardLimitOfOpenFilesCounts(String limit, String expected) throws IOException {
        limits(limit, "65536");
        assertThat(Findings.of(new DescriptorCheck(machine())))
                .singleElement()
                .asString()
                .startsWith(expected);
    }

    @Test
    void whatTheKernelDoesNotTellIsNotKnown() throws IOException {
        assertThat(Findings.of(new DescriptorCheck(machine()))).allMatch(t -> t.contains("known"));
        assertThat(Findings.of(new DeviceCheck(machine()))).allMatch(t -> t.startsWith("ok"));
        file("proc/self/limits", "Max open files  1 many files\n");
        assertThat(Findings.of(new DescriptorCheck(machine()))).allMatch(t -> t.contains("known"));
    }

    @Test
    void withoutDevicesTcpAndSharedMemoryAreUsedAndNoMemoryIsLocked() throws IOException {
        limits("20000", "65536");
        assertThat(Findings.of(new DeviceCheck(machine())))
                .allMatch(text -> text.startsWith("ok"))
                .anyMatch(text -> text.contains("no RDMA device: data go over TCP"))
                .anyMatch(text -> text.contains("no NVMe device"))
                .anyMatch(text -> text.contains("64 KiB of memory may be locked"));
    }

    @ParameterizedTest
    @CsvSource({"65536, warning", "unlimited, ok", "1073741824, ok"})
    void withAnRdmaDeviceMemoryHasToBeLocked(String limit, String level) throws IOException {
        limits("20000", limit);
        file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
        file("sys/class/nvme/nvme0/model", "x\n");
        List<String> found = Findings.of(new DeviceCheck(machine()));
        assertThat(found.get(0)).contains("mlx5_0");
        assertThat(found.get(1)).contains("nvme0");
        assertThat(found.get(2)).startsWith(level + ": ").contains("may be locked");
    }

    private void hugePages(String kernel, String options) throws IOException {
        file("sys/kernel/mm/transparent_hugepage/shmem_enabled", kernel + "\n");
        file(
                "proc/mounts",
                "proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid" + options + " 0 0\n");
    }

    private static final String NEVER = "always within_size advise [never] deny force";

    @ParameterizedTest
    @ValueSource(strings = {",huge=within_size", ",huge=always"})
    void hugePagesOfTheMountAreSeen(String option) throws IOException {
        hugePages(NEVER, option);
        assertThat(Findings.of(new HugePagesCheck(machine(), Findings.values())))
                .containsExactly("ok: segments in /dev/shm lie in huge pages -> ");
    }

    @Test
    void hugePagesThatTheKernelForcesOrDeniesAreSeen() throws IOException {
        hugePages("always within_size advise never deny [force]", "");
        assertThat(Findings.of(new HugePagesCheck(machine(), Findings.values())).get(0))
                .contains("lie in huge pages");
        hugePages("always within_size advise never [deny] force", ",huge=always");
        assertThat(Findings.of(new HugePagesCheck(machine(), Findings.values())).get(0))
                .contains("denies");
    }

    @Test
    void withoutHugePagesItIsSaidHowToHaveThem() throws IOException {
        hugePages(NEVER, "");
        file("proc/meminfo", "HugePages_Total:       0\nHugepagesize:       2048 kB\n");
        assertThat(Findings.of(new HugePagesCheck(machine(), Findings.values())))
                .singleElement()
                .asString()
                .startsWith("ok: none in /dev/shm")
                .contains("huge=within_size");
    }

    @Test
    void pagesReservedForHugetlbfsAreToldAsWasted() throws IOException {
        hugePages(NEVER, "");
        file("proc/meminfo", "HugePages_Total:     512\nHugepagesize:       2048 kB\n");
        assertThat(Findings.of(new HugePagesCheck(machine(), Findings.values())).get(1))
                .startsWith("warning: 1.0 GiB are reserved");
    }

    private void pool(long pages, long free) throws IOException {
        String pool = "sys/kernel/mm/hugepages/hugepages-2048kB/";
        file(pool + "nr_hugepages", pages + "\n");
        file(pool + "free_hugepages", free + "\n");
        file(pool + "resv_hugepages", "0\n");
        file(pool + "nr_overcommit_hugepages", "0\n");
        file(pool + "surplus_hugepages", "0\n");
        file("proc/meminfo", "Hugepagesize:       2048 kB\n");
    }

    private List<String> configuredHugePages(Path directory) throws CrailException {
        return Findings.of(
                new HugePagesCheck(
                        machine(),
                        Findings.values(
                                "storage.huge-pages.dir=" + directory, "storage.capacity=1GiB")));
    }

    /** Four segments of 256 MiB, each with a page for its header and control area. */
    @ParameterizedTest
    @CsvSource({
        "516, 516, ok: , ''",
        "600, 515, warning: , as root: sysctl -w vm.nr_hugepages=601",
        "100, 90, problem: , as root: sysctl -w vm.nr_hugepages=526"
    })
    void aDirectoryOnHugetlbfsNeedsEnoughFreePages(
            long pages, long free, String level, String remedy) throws IOException {
        pool(pages, free);
        space = new Machine.Space("hugetlbfs", 0, 0, 2 << 20);
        assertThat(configuredHugePages(root))
                .singleElement()
                .asString()
                .startsWith(level)
                .contains(free + " free pages of 2 MiB", "takes 516")
                .contains("-> " + remedy);
    }

    @Test
    void aDirectoryThatIsNotOnHugetlbfsIsAProblem() throws IOException {
        assertThat(configuredHugePages(root))
                .singleElement()
                .asString()
                .startsWith("problem: " + root + " is on tmpfs")
                .contains("-> as root: mkdir -p");
        assertThat(configuredHugePages(root.resolve("missing")).get(0))
                .startsWith("problem: there is no " + root.resolve("missing"));
    }

    @Test
    void aPoolThatTheKernelDoesNotTellIsAProblem() throws IOException {
        space = new Machine.Space("hugetlbfs", 0, 0, 2 << 20);
        assertThat(configuredHugePages(root).get(0)).startsWith("problem: the kernel");
    }

    @Test
    void pagesTooLargeForTheCapacityAreAProblem() throws IOException {
        pool(4, 4);
        space = new Machine.Space("hugetlbfs", 0, 0, 16 * GIB);
        file("sys/kernel/mm/hugepages/hugepages-16777216kB/nr_hugepages", "4\n");
        for (String name : List.of("free", "resv", "nr_overcommit", "surplus")) {
            file("sys/kernel/mm/hugepages/hugepages-16777216kB/" + name + "_hugepages", "0\n");
        }
        assertThat(configuredHugePages(root).get(0)).startsWith("problem: pages of 16 GiB");
    }

    @Test
    void sharedMemoryNeedsNoRoomForSegmentsInHugePages() throws IOException {
        space = new Machine.Space("tmpfs", 64 << 20, 64 << 20, 4096);
        assertThat(memory("storage.huge-pages.dir=/huge"))
                .singleElement()
                .asString()
                .startsWith("ok: segments go to huge pages");
    }

    private List<String> memory(String... assignments) throws IOException {
        Files.createDirectories(root.resolve("dev/shm"));
        return Findings.of(new SharedMemoryCheck(machine(), Findings.values(assignments)));
    }

    @Test
    void aContainersSharedMemoryIsTooSmall() throws IOException {
        space = new Machine.Space("tmpfs", 64 << 20, 64 << 20, 4096);
        assertThat(memory().get(0))
                .startsWith("problem: /dev/shm has 64 MiB")
                .contains("--shm-size");
        assertThat(memory("storage.capacity=32MiB").get(0)).startsWith("ok");
    }

    @Test
    void aSmallMountIsToBeMadeLarger() throws IOException {
        space = new Machine.Space("tmpfs", GIB, GIB, 4096);
        assertThat(memory().get(0)) // What describes the blocks needs room, too.
                .startsWith("problem")
                .contains("remount")
                .doesNotContain("--shm-size");
    }

    @Test
    void aFullMountIsAWarningBecauseTheSegmentsMayBeThereAlready() throws IOException {
        space = new Machine.Space("tmpfs", 4 * GIB, GIB / 2, 4096);
        assertThat(memory().get(0)).startsWith("warning").contains("512 MiB are free");
    }

    @ParameterizedTest
    @CsvSource({"ext4, warning", "hugetlbfs, problem"})
    void otherFileSystemsAreTold(String type, String level) throws IOException {
        space = new Machine.Space(type, 16 * GIB, 16 * GIB, 4096);
        assertThat(memory("storage.dir=/data/crail").get(1))
                .startsWith(level + ": /data/crail")
                .contains(type);
    }

    @Test
    void withoutSharedMemoryADirectoryHasToBeNamed() throws IOException {
        assertThat(Findings.of(new SharedMemoryCheck(machine(), Findings.values())))
                .singleElement()
                .asString()
                .startsWith("problem: there is no /dev/shm")
                .contains("storage.dir");
    }

    @Test
    void aFileSystemThatDoesNotAnswerIsAProblem() throws IOException {
        Machine broken =
                new Machine(
                        root,
                        path -> {
                            throw new IOException("stale handle");
                        },
                        host -> List.of());
        assertThat(Findings.of(new SharedMemoryCheck(broken, Findings.values("storage.dir=/data"))))
                .singleElement()
                .asString()
                .startsWith("problem")
                .contains("stale handle");
    }

    @ParameterizedTest
    @CsvSource({"1000000, warning", "8000000, ok"})
    void availableMemoryIsComparedWithTheCapacity(long kib, String level) throws IOException {
        file("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:   " + kib + " kB\n");
        assertThat(memory().get(1)).startsWith(level).contains("of memory are available");
    }

    @ParameterizedTest
    @CsvSource({"11.0.22, problem", "17.0.10, warning", "17.0.11, ok", "21.0.1, ok", "25, ok"})
    void javaHasToBeNewEnough(String version, String level) {
        assertThat(Findings.of(new JavaCheck(Runtime.Version.parse(version))))
                .singleElement()
                .asString()
                .startsWith(level + ": Java " + version);
    }

    private List<String> clock(String source, ClockCheck.Readings readings) throws IOException {
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", source + "\n");
        return Findings.of(new ClockCheck(machine(), readings));
    }

    @Test
    void clocksThatAgreeAreFine() throws IOException {
        assertThat(clock("tsc", new ClockCheck.Readings(1000, 1050, Optional.of(-300L), 5)))
                .allMatch(text -> text.startsWith("ok"))
                .hasSize(2);
        assertThat(Findings.of(new ClockCheck(machine(), none()))).hasSize(1);
    }

    private static ClockCheck.Readings none() {
        return new ClockCheck.Readings(0, 0, Optional.empty(), 0);
    }

    @Test
    void aSlowClockSourceIsTold() throws IOException {
        assertThat(clock("acpi_pm", none()).get(0)).startsWith("warning").contains("acpi_pm");
    }

    @Test
    void aWallClockThatIsSetMeanwhileIsTold() throws IOException {
        assertThat(clock("tsc", new ClockCheck.Readings(-5000, 100, Optional.empty(), 0)).get(1))
                .startsWith("warning: the wall clock was set by -5100 ms");
    }

    @ParameterizedTest
    @CsvSource({
        "1500, 400, warning, ahead of",
        "-90000, 5, warning, behind",
        "1500, 600, ok, ahead"
    })
    void aNamenodeOfAnotherTimeIsToldIfItIsSure(
            long ahead, long error, String level, String direction) throws IOException {
        assertThat(clock("tsc", new ClockCheck.Readings(0, 0, Optional.of(ahead), error)).get(1))
                .startsWith(level)
                .contains(direction);
    }
}
