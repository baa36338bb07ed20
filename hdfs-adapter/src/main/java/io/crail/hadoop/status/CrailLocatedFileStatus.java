// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import java.util.function.Supplier;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * A listed file. Where its bytes lie is asked for when somebody wants to know; a copy that is
 * serialized has been told.
 */
public final class CrailLocatedFileStatus extends LocatedFileStatus implements EtagSource {
    private static final long serialVersionUID = 1L;

    private final String etag;
    private transient @Nullable Supplier<BlockLocation[]> places;

    /**
     * @param places called once, by the first who asks
     */
    public CrailLocatedFileStatus(CrailFileStatus status, Supplier<BlockLocation[]> places) {
        super(status, status.isDirectory() ? null : new BlockLocation[0]);
        this.etag = status.getEtag();
        this.places = status.isDirectory() ? null : places;
    }

    @Override
    public synchronized BlockLocation[] getBlockLocations() {
        Supplier<BlockLocation[]> unasked = places;
        if (unasked != null) {
            places = null;
            setBlockLocations(unasked.get());
        }
        return super.getBlockLocations();
    }

    /** Java serialization asks for what is to be written. */
    private Object writeReplace() {
        getBlockLocations();
        return this;
    }

    @Override
    public String getEtag() {
        return etag;
    }

    /** By path, as all of Hadoop's do. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
