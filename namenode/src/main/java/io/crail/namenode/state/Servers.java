// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.protocol.block.GrantSeal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The storage servers known, by id. Ids are small and dense, so a list serves as the table. */
public final class Servers {
    private record Known(ServerIdentity identity, GrantSeal seal) {}

    private final List<@Nullable Known> byId = new ArrayList<>();
    private final BitSet draining = new BitSet();
    private long version = 1;
    private boolean severalClasses;

    /**
     * Changes with every change of the table or of a server's state. Changes of state are not
     * logged, so each epoch counts in a range of its own: a version never comes back.
     */
    public long version() {
        return version;
    }

    public void changed() {
        version++;
    }

    void beginEpoch(long epoch) {
        version = (epoch << 32) + 1;
    }

    void put(ServerIdentity identity) {
        while (byId.size() <= identity.id()) {
            byId.add(null);
        }
        severalClasses |= identity.storageClass() != 0;
        byId.set(identity.id(), new Known(identity, new GrantSeal(identity.sealKey())));
        version++;
    }

    public @Nullable ServerIdentity get(int id) {
        Known known = id >= 0 && id < byId.size() ? byId.get(id) : null;
        return known == null ? null : known.identity;
    }

    /** Whether any server is, or was, of another storage class than 0. */
    public boolean hasSeveralClasses() {
        return severalClasses;
    }

    /** Of a server that holds blocks: it is for ever the same, also when the server is gone. */
    public int storageClass(int id) {
        ServerIdentity identity = get(id);
        if (identity == null) {
            throw new IllegalStateException("no server " + id);
        }
        return identity.storageClass();
    }

    public @Nullable ServerIdentity find(UUID uuid) {
        for (Known known : byId) {
            if (known != null && known.identity.uuid().equals(uuid)) {
                return known.identity;
            }
        }
        return null;
    }

    void setDraining(int id, boolean value) {
        draining.set(id, value);
        version++;
    }

    /** Whether a server gets no new blocks, whatever else its state is. */
    public boolean isDraining(int id) {
        return draining.get(id);
    }

    /** The seal of a server's grants. */
    public GrantSeal seal(int id) {
        Known known = byId.get(id);
        if (known == null) {
            throw new IllegalStateException("no server " + id);
        }
        return known.seal;
    }

    public Collection<ServerIdentity> all() {
        return from(0);
    }

    /** Those whose ids are not less, in the order of their ids. */
    public Collection<ServerIdentity> from(int id) {
        List<ServerIdentity> list = new ArrayList<>();
        for (int i = Math.max(0, id); i < byId.size(); i++) {
            Known known = byId.get(i);
            if (known != null) {
                list.add(known.identity);
            }
        }
        return list;
    }

    /** The id of the next new server; 0 is never used. */
    public int nextId() {
        return Math.max(1, byId.size());
    }
}
