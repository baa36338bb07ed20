// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A medium with faults. */
public record HookedMedium(Medium medium, MediumHook hook) implements Medium {
    @Override
    public long bytes() {
        return medium.bytes();
    }

    @Override
    public int alignment() {
        return medium.alignment();
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        hook.before(MediumHook.Access.READ, position, into.remaining());
        medium.read(position, into);
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
        hook.before(MediumHook.Access.WRITE, position, from.remaining());
        medium.write(position, from);
    }

    @Override
    public void flush() throws IOException {
        hook.before(MediumHook.Access.FLUSH, 0, 0);
        medium.flush();
    }

    @Override
    public String name() {
        return medium.name();
    }

    /** None for which faults would not count. */
    @Override
    public @Nullable Path directFile() {
        return hook == MediumHook.NONE ? medium.directFile() : null;
    }

    @Override
    public void close() throws IOException {
        medium.close();
    }
}
