// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ProtocolException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodesTest {
    @Test
    void messageTypesHaveDifferentCodesAndComeBack() {
        Set<Integer> codes = new HashSet<>();
        for (MessageType type : MessageType.values()) {
            assertThat(codes.add(type.wire())).as("%s", type).isTrue();
            assertThat(MessageType.ofWire(type.wire())).isEqualTo(type);
        }
        for (int code = -1; code <= 0x10000; code++) {
            assertThat(MessageType.ofWire(code) != null).isEqualTo(codes.contains(code));
        }
    }

    @Test
    void serverStatesKeepTheirCodes() throws ProtocolException {
        assertThat(ServerState.ofWire(1)).isEqualTo(ServerState.EXPECTED);
        assertThat(ServerState.ofWire(2)).isEqualTo(ServerState.LIVE);
        assertThat(ServerState.ofWire(3)).isEqualTo(ServerState.DRAINING);
        assertThat(ServerState.ofWire(4)).isEqualTo(ServerState.DEAD);
        for (int unknown : new int[] {-1, 0, 5, 255}) {
            assertThatThrownBy(() -> ServerState.ofWire(unknown))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void flagsOfANodeAreTold() {
        NodeStatus status =
                new NodeStatus(
                        1,
                        io.crail.protocol.node.NodeType.FILE,
                        NodeStatus.OPEN_FOR_WRITING | NodeStatus.UNLINKED,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        -1,
                        0,
                        "",
                        "",
                        "");
        assertThat(status.has(NodeStatus.OPEN_FOR_WRITING)).isTrue();
        assertThat(status.has(NodeStatus.UNLINKED)).isTrue();
        assertThat(status.has(NodeStatus.CHECKSUMS)).isFalse();
        assertThat(status.has(NodeStatus.SESSION_BOUND)).isFalse();
    }
}
