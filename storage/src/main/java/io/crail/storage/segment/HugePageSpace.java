// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import io.crail.protocol.hugepages.HugePageMount;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Tells how much fits into a hugetlbfs, whose statvfs says nothing unless it was mounted with a
 * size: what counts is the kernel's pool of pages.
 *
 * @param mount what the directories of segments are below
 */
public record HugePageSpace(HugePageMount mount) implements FreeSpace {
    @Override
    public long usableBytes(Path directory) throws IOException {
        return mount.room().available() * mount.pageSize();
    }

    @Override
    public String shortage(Path directory, long bytes) throws IOException {
        return "segments do not fit into huge pages: "
                + mount.shortage(mount.pages(bytes), mount.room());
    }
}
