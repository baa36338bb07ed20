// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.DiscoveredSubsystem;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our initiator on the host with the kernel's target in the guest. */
@Tag("nvmf")
@Timeout(300)
class InitiatorTest {
    private static final int GUEST_PORT = 4420;
    private static final String HOST = "127.0.0.1";
    private static final String NQN = "nqn.2026-11.example:guest";
    private static final String LARGE_BLOCKS = "nqn.2026-11.example:guest-4k";
    private static final String CLOSED = "nqn.2026-11.example:guest-closed";
    private static final int SIZE_MIB = 32;
    private static final UUID HOST_ID = UUID.fromString("6d1c77f1-8d9b-4f0c-9d5c-55b1e4e0a7aa");

    private static VirtualMachine machine;

    @BeforeAll
    @Timeout(VirtualMachine.BOOT_METHOD_SECONDS)
    static void boot() {
        machine = VirtualMachine.boot("InitiatorTest", GUEST_PORT);
        machine.run("nvmet.sh create --nqn " + NQN + " --size " + SIZE_MIB);
        machine.run("nvmet.sh create --block 4096 --size " + SIZE_MIB + " --nqn " + LARGE_BLOCKS);
        machine.run("nvmet.sh create --nqn " + CLOSED + " --host nqn.2026-11.example:somebody");
        machine.run("nvmet.sh listen --nqn " + NQN);
        machine.run("nvmet.sh serve --nqn " + LARGE_BLOCKS);
        machine.run("nvmet.sh serve --nqn " + CLOSED);
    }

    @AfterAll
    static void powerOff() {
        machine.close();
    }

    private static NvmeAddress address(String nqn) {
        return new NvmeAddress(HOST, machine.forwardedPort(), nqn);
    }

    private static InitiatorConfig config() {
        return InitiatorConfig.of(HOST_ID);
    }

    private static ByteBuffer random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content).flip();
    }

    /** As the guest sees the device behind the namespace. */
    private static String sumInGuest(String device, long firstByte, int bytes) {
        String line =
                machine.run(
                                "dd status=none iflag=direct,skip_bytes,count_bytes bs=64k if="
                                        + device
                                        + " skip="
                                        + firstByte
                                        + " count="
                                        + bytes
                                        + " | sha256sum")
                        .get(0);
        return line.substring(0, line.indexOf(' '));
    }

    private static String sum(ByteBuffer content) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(content.duplicate());
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void subsystemIsDiscovered() throws IOException {
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            assertThat(initiator.discover(HOST, machine.forwardedPort()))
                    .filteredOn(DiscoveredSubsystem::isTcpSubsystem)
                    .extracting(DiscoveredSubsystem::subsystem)
                    .contains(NQN);
        }
    }

    @ParameterizedTest
    @CsvSource({
        NQN + ", /dev/nullb0, 512, false, false",
        NQN + ", /dev/nullb0, 512, true, true",
        LARGE_BLOCKS + ", /dev/nullb1, 4096, false, true"
    })
    void writesOfAllSizesAreWhatTheGuestHas(
            String nqn, String device, int blockSize, boolean headerDigest, boolean dataDigest)
            throws Exception {
        InitiatorConfig config = config().withDigests(headerDigest, dataDigest);
        try (NvmeInitiator initiator = new NvmeInitiator(config)) {
            NvmeNamespace namespace = initiator.connect(address(nqn)).namespace(1);
            assertThat(namespace.blockSize()).isEqualTo(blockSize);
            assertThat(namespace.blockCount()).isEqualTo((SIZE_MIB << 20) / blockSize);

            // In a capsule, as large as fits one, larger; more than one command; more than places.
            long block = 0;
            List<Integer> sizes =
                    List.of(blockSize, 16 << 10, (16 << 10) + blockSize, 1 << 20, 3 << 20);
            for (int size : sizes) {
                ByteBuffer content = random(size, size);
                namespace.write(block, content).await();
                assertThat(sumInGuest(device, block * blockSize, size)).isEqualTo(sum(content));
                ByteBuffer back = ByteBuffer.allocateDirect(size);
                namespace.read(block, back).await();
                assertThat(back).isEqualTo(content);
                block += size / blockSize;
            }
            namespace.flush().await();
        }
    }

    @Test
    void hundredsOfCommandsAreUnderWayAtATime() throws Exception {
        int bytes = 4096;
        int count = 1000;
        try (NvmeInitiator initiator = new NvmeInitiator(config().withQueues(2, 32, 4096))) {
            NvmeNamespace namespace = initiator.connect(address(LARGE_BLOCKS)).namespace(1);
            ByteBuffer content = random(bytes * count, 1);
            List<NvmeFuture<Void>> writes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                writes.add(namespace.write(i, content.slice(i * bytes, bytes)));
            }
            for (NvmeFuture<Void> each : writes) {
                each.await();
            }
            assertThat(sumInGuest("/dev/nullb1", 0, bytes * count)).isEqualTo(sum(content));

            ByteBuffer back = ByteBuffer.allocateDirect(bytes * count);
            List<NvmeFuture<Void>> reads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                reads.add(namespace.read(i, back.slice(i * bytes, bytes)));
            }
            for (NvmeFuture<Void> each : reads) {
                each.await();
            }
            assertThat(back).isEqualTo(content);
        }
    }

    @Test
    void blocksAreDeallocatedAndZeroed() throws Exception {
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            NvmeNamespace namespace = initiator.connect(address(LARGE_BLOCKS)).namespace(1);
            ByteBuffer zeros = ByteBuffer.allocateDirect(64 << 10);
            ByteBuffer back = ByteBuffer.allocateDirect(64 << 10);
            namespace.write(0, random(64 << 10, 2)).await();

            namespace.writeZeroes(new BlockRange(0, 16), false).await();
            namespace.read(0, back).await();
            assertThat(back).isEqualTo(zeros);

            // What they read as then is the target's choice.
            namespace.deallocate(List.of(new BlockRange(0, 8), new BlockRange(16, 8))).await();
            namespace.flush().await();
        }
    }

    @Test
    void targetThatGoesAndComesBackIsFoundAgain() throws Exception {
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            NvmeController controller = initiator.connect(address(LARGE_BLOCKS));
            NvmeNamespace namespace = controller.namespace(1);
            ByteBuffer content = random(1 << 20, 3);
            namespace.write(0, content).await();

            machine.run("nvmet.sh close");
            Awaitility.await().until(() -> controller.state() != NvmeController.State.LIVE);
            ByteBuffer back = ByteBuffer.allocateDirect(1 << 20);
            NvmeFuture<Void> read = namespace.read(0, back);
            // First that subsystem: as long as there are others alone it is refused, for good.
            machine.run("nvmet.sh listen --nqn " + LARGE_BLOCKS);
            machine.run("nvmet.sh serve --nqn " + NQN);
            machine.run("nvmet.sh serve --nqn " + CLOSED);

            read.await();
            assertThat(back).isEqualTo(content);
            assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
        }
    }

    @Test
    void hostThatIsNotAdmittedIsToldSo() throws Exception {
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            assertThatThrownBy(() -> initiator.connect(address(CLOSED)))
                    .isInstanceOf(NvmeException.class)
                    .hasMessageContaining(CLOSED)
                    .hasMessageContaining(config().hostName());
        }
    }
}
