// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.client.XattrOption;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.jspecify.annotations.Nullable;

/**
 * Extended attributes, by the rules of HDFS: what is asked for by name and is not there is an
 * error.
 *
 * @param client keeps them
 */
record ExtendedAttributes(CrailClient client) {
    void set(String path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        boolean create = flags.contains(XAttrSetFlag.CREATE);
        boolean replace = flags.contains(XAttrSetFlag.REPLACE);
        if (!create && !replace) {
            throw new HadoopIllegalArgumentException("A flag must be specified.");
        }
        byte[] bytes = value == null ? new byte[0] : value;
        try {
            if (create && replace) {
                client.setXattr(path, name, bytes);
            } else {
                client.setXattr(
                        path, name, bytes, create ? XattrOption.CREATE : XattrOption.REPLACE);
            }
        } catch (CrailException e) {
            if (e.code() == ErrorCode.CONDITION_FAILED) {
                XAttrSetFlag.validate(name, create, flags);
            }
            throw translated(e, path);
        }
    }

    byte[] get(String path, String name) throws IOException {
        try {
            return client.getXattr(path, name).orElseThrow(() -> missing(path, name));
        } catch (CrailException e) {
            throw translated(e, path);
        }
    }

    Map<String, byte[]> all(String path) throws IOException {
        try {
            return client.getXattrs(path);
        } catch (CrailException e) {
            throw translated(e, path);
        }
    }

    Map<String, byte[]> some(String path, List<String> names) throws IOException {
        Map<String, byte[]> all = all(path);
        Map<String, byte[]> some = new LinkedHashMap<>();
        for (String name : names) {
            byte[] value = all.get(name);
            if (value == null) {
                throw missing(path, name);
            }
            some.put(name, value);
        }
        return some;
    }

    List<String> names(String path) throws IOException {
        try {
            return client.listXattrs(path);
        } catch (CrailException e) {
            throw translated(e, path);
        }
    }

    void remove(String path, String name) throws IOException {
        try {
            if (!client.removeXattr(path, name)) {
                throw missing(path, name);
            }
        } catch (CrailException e) {
            throw translated(e, path);
        }
    }

    private static IOException missing(String path, String name) {
        return new IOException(path + " has no extended attribute " + name);
    }

    /** A name that may not be is the caller's mistake. */
    private static IOException translated(CrailException failure, String path) {
        if (failure.code() == ErrorCode.INVALID_NAME) {
            throw new HadoopIllegalArgumentException(String.valueOf(failure.getMessage()));
        }
        return HadoopErrors.of(failure, path);
    }
}
