// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.Map;
import java.util.TreeMap;

/**
 * Changes what few nodes have: an end, extended attributes, a quota. A node has an object for that
 * as long as it has any of it. Not thread-safe.
 */
public final class ExtraFields {
    /** Heap of an extended attribute besides the bytes of its name and value. */
    private static final long XATTR_OVERHEAD = 128;

    private final Tree tree;
    private final Lifetimes lifetimes = new Lifetimes();
    private long xattrBytes;
    private int quotas;

    ExtraFields(Tree tree) {
        this.tree = tree;
    }

    Lifetimes lifetimes() {
        return lifetimes;
    }

    /**
     * Sets when a node goes.
     *
     * @param deadline by the clock of {@link Lifetimes}; {@link Long#MAX_VALUE} = never
     */
    public void setDeadline(Node node, long deadline) {
        tree.touch(node);
        lifetimes.set(of(node), deadline);
        dropIfEmpty(node);
    }

    /** Sets the session with which a node goes; 0 = none. */
    public void setSession(Node node, long session) {
        tree.touch(node);
        of(node).session = session;
        dropIfEmpty(node);
    }

    /** Heap taken by extended attributes. */
    public long xattrBytes() {
        return xattrBytes;
    }

    /** Heap that an extended attribute takes. */
    public static long xattrBytes(String name, byte[] value) {
        return XATTR_OVERHEAD + 2L * name.length() + value.length;
    }

    /** Sets an extended attribute, which the node may have already. */
    public void setXattr(Node node, String name, byte[] value) {
        tree.touch(node);
        Extras extras = of(node);
        if (extras.xattrs == null) {
            extras.xattrs = new TreeMap<>();
        }
        byte[] old = extras.xattrs.put(name, value);
        xattrBytes += xattrBytes(name, value) - (old == null ? 0 : xattrBytes(name, old));
    }

    /** Removes an extended attribute that the node has. */
    public void removeXattr(Node node, String name) {
        tree.touch(node);
        Extras extras = of(node);
        byte[] old = extras.xattrs == null ? null : extras.xattrs.remove(name);
        if (old == null) {
            throw new IllegalStateException("node " + node.id() + " has no attribute " + name);
        }
        xattrBytes -= xattrBytes(name, old);
        dropIfEmpty(node);
    }

    /** Whether any container has a quota. */
    public boolean hasQuotas() {
        return quotas > 0;
    }

    /** Sets what may lie below a container at most. */
    public void setQuota(ContainerNode container, Quota quota) {
        tree.touch(container);
        Extras extras = of(container);
        quotas += (quota.isNone() ? 0 : 1) - (extras.quota == null ? 0 : 1);
        extras.quota = quota.isNone() ? null : quota;
        dropIfEmpty(container);
    }

    /** Takes from a node that loses its name for ever what goes with the name. */
    public void drop(Node node) {
        Extras extras = node.extras();
        if (extras != null) {
            tree.touch(node);
            lifetimes.remove(extras);
            for (Map.Entry<String, byte[]> each : node.xattrs().entrySet()) {
                xattrBytes -= xattrBytes(each.getKey(), each.getValue());
            }
            quotas -= extras.quota == null ? 0 : 1;
            node.attributes = extras.shared;
        }
    }

    private Extras of(Node node) {
        Extras known = node.extras();
        if (known != null) {
            return known;
        }
        Extras made = new Extras(node, lifetimes, node.attributes.shared());
        node.attributes = made;
        return made;
    }

    private static void dropIfEmpty(Node node) {
        Extras extras = node.extras();
        if (extras != null && extras.isEmpty()) {
            node.attributes = extras.shared;
        }
    }
}
