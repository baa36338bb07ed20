// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.namenode.index.NameHash;
import io.crail.namenode.inline.InlineMemory;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.MessageType;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That no type of request gets by. */
final class AccessCheckTest {
    private final Tree tree =
            new Tree(
                    NameHash.of(new Random(1)),
                    new InlineMemory(1 << 20, "limit"),
                    new Attributes(0755, 0, true, "root", "root", ""));

    private void ask(AccessCheck check, MessageType type) throws CrailException {
        check.check(type, null, tree, () -> new WireReader(new byte[0]));
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void everyTypeOfRequestHasARule(MessageType type) {
        assertThat(Rules.all()).as("add %s to Rules", type).containsKey(type);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void aTypeWithoutARuleIsRefusedWhenRightsAreEnforcedAndOnlyThen(MessageType type)
            throws CrailException {
        assertThatThrownBy(() -> ask(new AccessCheck(Permissions.ENFORCE, "root", Map.of()), type))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining(type.name());
        ask(new AccessCheck(Permissions.OFF, "root", Map.of()), type);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void whatDependsOnAUserIsRefusedWithoutASession(MessageType type) throws CrailException {
        AccessCheck check = new AccessCheck(Permissions.ENFORCE, "root");
        Rules.Rule rule = Rules.all().get(type);
        if (rule == Rules.FREE || rule == Rules.NOT_OF_CLIENTS) {
            ask(check, type);
        } else {
            assertThatThrownBy(() -> ask(check, type)).isInstanceOf(AccessDeniedException.class);
        }
    }
}
