// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CreateOptions;
import io.crail.hadoop.status.CrailFileStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** What is promised of the file system and is not in Hadoop's suites. */
class CrailFileSystemTest extends Opened {
    @Test
    void fileSystemsOfOneConfigurationShareAClient() throws IOException {
        try (CrailFileSystem other = TestCluster.open(TestCluster.configuration())) {
            assertThat(other.client()).isSameAs(fs.client());
        }
        assertThat(fs.exists(directory)).isTrue();
    }

    @Test
    void aClosedFileSystemSaysSo() throws IOException {
        FileSystem other = TestCluster.open(TestCluster.configuration());
        other.close();
        assertThatThrownBy(() -> other.exists(directory)).hasMessage("Filesystem closed");
    }

    @Test
    void simpleOperationsAreOneRoundTrip() throws IOException {
        Path file = write("file", bytes(10));
        assertThat(calls(() -> fs.getFileStatus(file))).isEqualTo(1);
        assertThat(calls(() -> fs.mkdirs(path("a/b/c")))).isEqualTo(1);
        assertThat(calls(() -> fs.create(path("x/y/z")).close())).isLessThanOrEqualTo(2);
        assertThat(calls(() -> fs.rename(file, path("other")))).isEqualTo(1);
        assertThat(calls(() -> fs.delete(path("a"), true))).isEqualTo(1);
        assertThat(calls(() -> fs.getContentSummary(directory))).isEqualTo(1);
    }

    @Test
    void listingsAskForPagesNotForEntries() throws IOException {
        for (int i = 0; i < 1500; i++) {
            fs.client().createFile(path("f" + i).toUri().getPath()).close();
        }
        assertThat(calls(() -> assertThat(fs.listStatus(directory)).hasSize(1500))).isLessThan(10);
        assertThat(calls(() -> assertThat(count(fs.listFiles(directory, true))).isEqualTo(1500)))
                .isLessThan(10);
    }

    @Test
    void placesOfListedFilesComeWithTheirPages() throws IOException {
        for (int i = 0; i < 1200; i++) {
            write("f" + i, bytes(10));
        }
        long told = calls(() -> assertThat(tellingPlaces(directory)).isEqualTo(1200));
        assertThat(told).isLessThan(10);
    }

    private int tellingPlaces(Path path) throws IOException {
        int count = 0;
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(path, true);
        while (files.hasNext()) {
            BlockLocation[] places = files.next().getBlockLocations();
            assertThat(places).hasSize(1);
            assertThat(places[0].getHosts()[0]).startsWith("embedded-");
            assertThat(places[0].getLength()).isEqualTo(10);
            count++;
        }
        return count;
    }

    private static int count(RemoteIterator<?> entries) throws IOException {
        int count = 0;
        while (entries.hasNext()) {
            entries.next();
            count++;
        }
        return count;
    }

    @Test
    void namesMayHoldWhatUrisGiveAMeaningTo() throws IOException {
        List<String> names = List.of("a:b", "with space", "%41", "q?x#y", "\u00e4\u00f6");
        for (String name : names) {
            fs.client().createFile(directory.toUri().getPath() + "/" + name).close();
        }
        List<String> seen = new ArrayList<>();
        for (FileStatus each : fs.listStatus(directory)) {
            assertThat(fs.getFileStatus(each.getPath()).isFile()).isTrue();
            seen.add(each.getPath().getName());
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void overwritingIsAtomicForReaders() throws IOException {
        Path file = write("file", bytes(1000));
        try (FSDataInputStream in = open(file)) {
            write("file", bytes(2000));
            assertThat(in.readAllBytes()).isEqualTo(bytes(1000));
        }
        assertThat(read(file)).isEqualTo(bytes(2000));
        assertThatThrownBy(() -> fs.create(file, false))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void errorsAreThoseOfTheSpecification() throws IOException {
        Path file = write("file", bytes(1));
        assertThatThrownBy(() -> fs.open(path("none"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.open(directory)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.append(directory)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.create(new Path(file, "below")))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.mkdirs(new Path(file, "below")))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.mkdirs(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.create(directory, true))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.delete(directory, false))
                .isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThatThrownBy(() -> fs.createNonRecursive(path("a/b"), true, 0, (short) 1, 1, null))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aDirectoryIsNotMovedBelowItself() throws IOException {
        fs.mkdirs(path("a/b"));
        assertThat(fs.rename(path("a"), path("a/b"))).isFalse();
        assertThat(fs.rename(path("a"), path("a/b/c"))).isFalse();
        assertThat(fs.exists(path("a/b"))).isTrue();
    }

    @Test
    void blocksAreToldWithHostAndKindOfStorage() throws IOException {
        Path file = write("file", bytes(5 << 20));
        LocatedFileStatus listed = fs.listLocatedStatus(file).next();
        BlockLocation[] all = fs.getFileBlockLocations(listed, 0, listed.getLen());
        assertThat(listed.getBlockLocations()).hasSize(all.length);
        long end = 0;
        for (BlockLocation each : all) {
            assertThat(each.getOffset()).isEqualTo(end);
            assertThat(each.getHosts()[0]).startsWith("embedded-");
            assertThat(each.getStorageTypes()).containsExactly(StorageType.RAM_DISK);
            end += each.getLength();
        }
        assertThat(end).isEqualTo(5 << 20);
        assertThat(fs.getFileBlockLocations(file, (5 << 20) - 1, 10)).hasSize(1);
        assertThat(fs.getFileBlockLocations(file, 5 << 20, 10)).isEmpty();
    }

    @Test
    void aListedFileIsSerializedWithItsPlaces() throws IOException, ClassNotFoundException {
        write("file", bytes(4000));
        LocatedFileStatus listed = fs.listLocatedStatus(directory).next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(listed);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            LocatedFileStatus copy = (LocatedFileStatus) in.readObject();
            assertThat(copy.getPath()).isEqualTo(listed.getPath());
            assertThat(copy.getBlockLocations()).hasSize(1);
        }
    }

    @Test
    void theChecksumIsTheCompositeOneOfHdfs() throws IOException {
        byte[] content = bytes((9 << 20) + 77);
        Path file = write("file", content);
        CRC32C sum = new CRC32C();
        sum.update(content);
        assertThat(fs.getFileChecksum(file).getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(file).getBytes()).getInt())
                .isEqualTo((int) sum.getValue());
        sum.reset();
        sum.update(content, 0, 100);
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(file, 100).getBytes()).getInt())
                .isEqualTo((int) sum.getValue());
    }

    @Test
    void joiningKeepsAttributesAndWhatReadersHaveOpen() throws IOException {
        Path target = write("target", bytes(100));
        fs.setPermission(target, new FsPermission((short) 0600));
        fs.setXAttr(target, "user.a", new byte[] {7});
        Path first = write("first", bytes(3000));
        Path second = write("second", bytes(0));
        try (FSDataInputStream in = open(target)) {
            fs.concat(target, new Path[] {first, second});
            assertThat(in.readAllBytes()).isEqualTo(bytes(100));
        }
        assertThat(read(target)).startsWith(bytes(100)).endsWith(bytes(3000)).hasSize(3100);
        assertThat(fs.getFileStatus(target).getPermission().toShort()).isEqualTo((short) 0600);
        assertThat(fs.getXAttr(target, "user.a")).containsExactly(7);
        assertThat(fs.listStatus(directory)).hasSize(1);
        assertThatThrownBy(() -> fs.concat(target, new Path[] {target}))
                .isInstanceOf(HadoopIllegalArgumentException.class);
    }

    @Test
    void whatIsBeingWrittenIsNotJoined() throws IOException {
        Path target = write("target", bytes(100));
        try (var out = fs.create(path("open"))) {
            out.write(1);
            assertThatThrownBy(() -> fs.concat(target, new Path[] {path("open")}))
                    .isInstanceOf(IOException.class);
        }
        assertThat(read(target)).isEqualTo(bytes(100));
        fs.append(target).close();
    }

    @Test
    void aFileIsCut() throws IOException {
        Path file = write("file", bytes(10_000));
        assertThat(fs.truncate(file, 10_000)).isTrue();
        assertThat(fs.truncate(file, 4097)).isTrue();
        assertThat(read(file)).hasSize(4097).isEqualTo(Arrays.copyOf(bytes(10_000), 4097));
        assertThatThrownBy(() -> fs.truncate(file, 4098))
                .isInstanceOf(HadoopIllegalArgumentException.class);
        assertThat(fs.truncate(file, 0)).isTrue();
        assertThat(fs.getFileStatus(file).getLen()).isZero();
        assertThat(fs.listStatus(directory)).hasSize(1);
    }

    @Test
    void extendedAttributesFollowTheFlags() throws IOException {
        Path file = write("file", bytes(1));
        fs.setXAttr(file, "user.a", "1".getBytes(UTF_8), EnumSet.of(XAttrSetFlag.CREATE));
        assertThatThrownBy(
                        () ->
                                fs.setXAttr(
                                        file,
                                        "user.a",
                                        new byte[0],
                                        EnumSet.of(XAttrSetFlag.CREATE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("REPLACE");
        fs.setXAttr(file, "user.a", "2".getBytes(UTF_8));
        assertThat(fs.getXAttr(file, "user.a")).isEqualTo("2".getBytes(UTF_8));
        assertThat(fs.listXAttrs(file)).containsExactly("user.a");
        fs.removeXAttr(file, "user.a");
        assertThatThrownBy(() -> fs.getXAttr(file, "user.a")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.setXAttr(file, "system.a", new byte[0]))
                .isInstanceOf(HadoopIllegalArgumentException.class);
    }

    @Test
    void quotasAreSetKeptAndEnforced() throws IOException {
        fs.setQuota(directory, 3, 64L << 20);
        ContentSummary summary = fs.getContentSummary(directory);
        assertThat(summary.getQuota()).isEqualTo(3);
        assertThat(summary.getSpaceQuota()).isEqualTo(64L << 20);
        write("one", bytes(10_000));
        write("two", bytes(1));
        assertThatThrownBy(() -> write("three", bytes(1)))
                .isInstanceOf(ClusterStorageCapacityExceededException.class);
        fs.setQuota(directory, Long.MAX_VALUE, -1);
        assertThat(fs.getQuotaUsage(directory).getQuota()).isEqualTo(3);
        assertThat(fs.getQuotaUsage(directory).getSpaceQuota()).isEqualTo(-1);
        assertThat(fs.getQuotaUsage(directory).getFileAndDirectoryCount()).isEqualTo(3);
        assertThat(fs.getContentSummary(directory).getLength()).isEqualTo(10_001);
    }

    @Test
    void theStatusHasRealNumbers() throws IOException {
        FsStatus before = fs.getStatus();
        write("file", bytes(8 << 20));
        FsStatus after = fs.getStatus();
        assertThat(after.getCapacity()).isEqualTo(1L << 30);
        assertThat(after.getUsed() + after.getRemaining()).isEqualTo(after.getCapacity());
        assertThat(after.getUsed()).isGreaterThanOrEqualTo(before.getUsed());
    }

    @Test
    void policiesAreNamesOfStorageClasses() throws IOException {
        fs.setStoragePolicy(directory, "ALL_SSD");
        Path file = write("file", bytes(0)); // there is no storage of that class
        assertThat(fs.getStoragePolicy(file).getName()).isEqualTo("ALL_SSD");
        fs.setStoragePolicy(file, "CLASS_7");
        assertThat(fs.getStoragePolicy(file).getName()).isEqualTo("CLASS_7");
        fs.unsetStoragePolicy(file);
        assertThat(fs.getStoragePolicy(file).getName()).isEqualTo("ALL_SSD");
        assertThatThrownBy(() -> fs.setStoragePolicy(file, "PROVIDED"))
                .isInstanceOf(HadoopIllegalArgumentException.class);
    }

    @Test
    void aFileIsTakenFromAWriterThatIsGone() throws IOException {
        Path file = path("file");
        try (var out = fs.create(file)) {
            out.write(1);
            assertThat(fs.isFileClosed(file)).isFalse();
            assertThat(fs.recoverLease(file)).isFalse();
        }
        assertThat(fs.isFileClosed(file)).isTrue();
        assertThat(fs.recoverLease(file)).isTrue();
    }

    @Test
    void theEtagIsThatOfTheContent() throws IOException {
        CrailFileStatus first = fs.getFileStatus(write("file", bytes(1)));
        CrailFileStatus second = fs.getFileStatus(write("file", bytes(1)));
        assertThat(second.getEtag()).isNotEqualTo(first.getEtag());
        fs.rename(path("file"), path("moved"));
        assertThat(fs.getFileStatus(path("moved")).getEtag()).isEqualTo(second.getEtag());
    }

    @Test
    void otherTypesOfNodesAreSeen() throws IOException {
        String plain = directory.toUri().getPath();
        fs.client().createTable(plain + "/table", CreateOptions.DEFAULT);
        fs.client().createMultiFile(plain + "/multi").add("one").close();
        assertThat(fs.getFileStatus(path("table")).isDirectory()).isTrue();
        assertThat(fs.listStatus(path("table"))).isEmpty();
        assertThat(fs.listStatus(path("multi"))).hasSize(1);
        assertThat(read(path("multi/one"))).isEmpty();
        assertThat(count(fs.listFiles(directory, true))).isEqualTo(1);
    }
}
