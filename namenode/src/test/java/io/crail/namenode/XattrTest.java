// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.node.NodeType;
import io.crail.protocol.node.Xattrs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extended attributes. */
final class XattrTest {
    private static final long MEMORY = 100_000;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory, builder -> builder.maxXattrBytes(MEMORY));
        session = namenode.session("tester");
        session.touch("/f");
    }

    @AfterEach
    void stop() throws IOException {
        session.close();
        namenode.close();
    }

    private long memory() throws IOException {
        return namenode.<Long>ask(engine -> engine.state().tree().extras().xattrBytes());
    }

    @Test
    void whatIsSetIsReadByNameOrAllInOrder() throws IOException {
        assertThat(session.setXattr("/f", "user.b", "2")).isFalse();
        assertThat(session.setXattr("/f", "user.a", "1")).isFalse();
        assertThat(session.setXattr("/f", "user.b", "3")).isTrue();
        assertThat(session.setXattr("/", "trusted.x", "")).isFalse();
        assertThat(session.xattrs("/f").toString()).isEqualTo("{user.a=1, user.b=3}");
        assertThat(session.xattrs("/f", "user.b", 0)).isEqualTo(Map.of("user.b", "3"));
        assertThat(session.xattrs("/f", "user.c", 0)).isEmpty();
        assertThat(session.xattrs("/f", "", GetXattrs.NAMES).toString())
                .isEqualTo("{user.a=, user.b=}");
        assertThat(session.xattrs("/")).isEqualTo(Map.of("trusted.x", ""));
        assertThatThrownBy(() -> session.xattrs("/g")).isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void conditionsAreKeptAndRemovalTellsWhetherThereWasOne() throws IOException {
        byte[] value = {1};
        assertThatThrownBy(() -> session.setXattr("/f", "user.a", SetXattr.REPLACE, value))
                .isInstanceOf(ConditionFailedException.class);
        session.setXattr("/f", "user.a", SetXattr.CREATE, value);
        assertThatThrownBy(() -> session.setXattr("/f", "user.a", SetXattr.CREATE, value))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("/f has extended attribute 'user.a'");
        assertThat(session.setXattr("/f", "user.a", SetXattr.REPLACE, value)).isTrue();
        assertThat(session.setXattr("/f", "user.a", SetXattr.REMOVE, value)).isTrue();
        assertThat(session.setXattr("/f", "user.a", SetXattr.REMOVE, value)).isFalse();
        assertThat(session.xattrs("/f")).isEmpty();
        for (int flags : new int[] {3, 5, 6, 7, 8}) {
            assertThatThrownBy(() -> session.setXattr("/f", "user.a", flags, value))
                    .isInstanceOf(InvalidArgumentException.class);
        }
    }

    @Test
    void namesAreCheckedAndSizesAreLimited() throws IOException {
        for (String name : new String[] {"", "a", "user", "user.", "system.a", "user.\0"}) {
            assertThatThrownBy(() -> session.setXattr("/f", name, "v"))
                    .as(name)
                    .isInstanceOf(InvalidNameException.class);
        }
        assertThatThrownBy(
                        () -> session.setXattr("/f", "user.a", 0, new byte[Xattrs.MAX_VALUE + 1]))
                .isInstanceOf(InvalidArgumentException.class);
        byte[] largest = new byte[Xattrs.MAX_VALUE];
        session.setXattr("/f", "user." + "n".repeat(250), 0, largest);
        session.setXattr("/f", "user.b", 0, largest);
        session.setXattr("/f", "user.c", 0, largest);
        int left = Xattrs.MAX_TOTAL - 3 * Xattrs.MAX_VALUE - 255 - 3 * 6;
        assertThatThrownBy(() -> session.setXattr("/f", "user.d", 0, new byte[left + 1]))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("/f would have 16385 bytes");
        session.setXattr("/f", "user.d", 0, new byte[left]);
        session.setXattr("/f", "user.b", 0, largest);
    }

    @Test
    void theMemoryOfAllIsLimitedAndGivenBackWithTheirNodes() throws IOException {
        byte[] value = new byte[4000];
        session.mkdir("/d");
        int made = 0;
        try {
            while (made < 1000) {
                session.touch("/d/" + made);
                session.setXattr("/d/" + made, "user.a", 0, value);
                made++;
            }
        } catch (OutOfSpaceException e) {
            assertThat(e).hasMessageContaining("at most " + MEMORY);
        }
        assertThat(made).isBetween(20, 25);
        session.setXattr("/d/0", "user.a", 0, new byte[10]);
        session.delete("/d", true);
        namenode.settle();
        assertThat(memory()).isZero();
        session.setXattr("/f", "user.a", 0, value);
    }

    @Test
    void theyMoveWithTheirNodeAndGoWithIt() throws IOException {
        session.setXattr("/f", "user.a", "1");
        session.touch("/g");
        session.setXattr("/g", "user.g", "1");
        session.rename("/f", "/g", Rename.REPLACE);
        assertThat(session.xattrs("/g")).isEqualTo(Map.of("user.a", "1"));
        session.create("/g", NodeType.FILE, Create.OVERWRITE, 0);
        assertThat(session.xattrs("/g")).isEmpty();
        assertThat(memory()).isZero();
    }

    @Test
    void logAndSnapshotKeepThem() throws IOException {
        session.setXattr("/f", "user.a", "1");
        session.setXattr("/", "user.b", "2");
        session.setLifetime("/f", 60_000);
        namenode.snapshot();
        session.setXattr("/f", "user.c", "3");
        session.setXattr("/", "user.b", SetXattr.REMOVE, new byte[0]);
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        session.close();
        session = namenode.session("again");
        assertThat(session.xattrs("/f").toString()).isEqualTo("{user.a=1, user.c=3}");
    }
}
