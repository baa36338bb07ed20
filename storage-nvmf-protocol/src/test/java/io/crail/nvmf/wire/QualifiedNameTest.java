// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NVMe Base 2.0, section 4.5, and fields of text. */
class QualifiedNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nqn.2014-08.org.nvmexpress.discovery",
                "nqn.2014-08.org.nvmexpress:uuid:00112233-4455-6677-8899-aabbccddeeff",
                "nqn.2026-12.io.crail:flash/1",
            })
    void namesAreAdmitted(String name) {
        assertThat(QualifiedName.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nqn", "nqn.2014-13.org.x", "nqn.14-08.org.x", "iqn.2014-08.org.x"})
    void othersAreRefused(String name) {
        assertThatThrownBy(() -> QualifiedName.check(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nqn.yyyy-mm");
    }

    @Test
    void lengthIsLimited() {
        String longest = "nqn.2026-01." + "x".repeat(211);
        assertThat(QualifiedName.isValid(longest)).isTrue();
        assertThat(QualifiedName.isValid(longest + "x")).isFalse();
    }

    @Test
    void hostIsNamedAfterItsUuid() {
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-AABBCCDDEEFF");
        assertThat(QualifiedName.ofUuid(uuid))
                .isEqualTo("nqn.2014-08.org.nvmexpress:uuid:00112233-4455-6677-8899-aabbccddeeff");
    }

    @Test
    void textsFillTheirFields() {
        ByteBuffer buffer = Bytes.dirty(16);
        FixedText.putSpaced(buffer, 1, 4, "abcdef");
        assertThat(FixedText.getSpaced(buffer, 1, 4)).isEqualTo("abcd");
        FixedText.putTerminated(buffer, 1, 4, "abc");
        assertThat(FixedText.getTerminated(buffer, 1, 4)).isEqualTo("abc");
        assertThat(FixedText.getTerminated(buffer, 1, 3)).isEqualTo("abc");
        assertThatThrownBy(() -> FixedText.putTerminated(buffer, 1, 4, "abcd"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(buffer.get(0)).isEqualTo((byte) 0xFF);
        assertThat(buffer.get(5)).isEqualTo((byte) 0xFF);
    }
}
