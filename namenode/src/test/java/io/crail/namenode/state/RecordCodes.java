// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import java.util.Map;
import java.util.TreeMap;

/** The types of log records that there are, for tests that must miss none. */
public final class RecordCodes {
    private RecordCodes() {}

    /** Names by code. */
    public static Map<Integer, String> all() {
        Map<Integer, String> all = new TreeMap<>();
        for (RecordType type : RecordType.values()) {
            all.put(type.code(), type.name());
        }
        return all;
    }
}
