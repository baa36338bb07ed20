// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.SetAttributes;
import java.time.Duration;
import java.time.Instant;

/**
 * Attributes to set; what is not named stays. Immutable: each method returns a changed copy.
 *
 * @see CrailClient#setAttributes
 */
public final class AttributeChange {
    /** Changes nothing. */
    public static final AttributeChange NONE =
            new AttributeChange(new SetAttributes.Request(new byte[0], 0, 0, 0, 0, 0, -1, "", ""));

    private final SetAttributes.Request request;

    private AttributeChange(SetAttributes.Request request) {
        this.request = request;
    }

    /** Permission bits. */
    public AttributeChange mode(int bits) {
        return numbers(SetAttributes.MODE, bits, request.storageClass());
    }

    /** Class of the blocks that are written from now on. */
    public AttributeChange storageClass(int number) {
        return numbers(SetAttributes.STORAGE_CLASS, request.mode(), number);
    }

    /** Time of modification. */
    public AttributeChange modified(Instant time) {
        return times(
                SetAttributes.MODIFIED,
                time.toEpochMilli(),
                request.accessedMillis(),
                request.lifetimeMillis());
    }

    /** Time of access. */
    public AttributeChange accessed(Instant time) {
        return times(
                SetAttributes.ACCESSED,
                request.modifiedMillis(),
                time.toEpochMilli(),
                request.lifetimeMillis());
    }

    /** Time to live from now; zero = without an end. */
    public AttributeChange lifetime(Duration timeToLive) {
        return times(
                SetAttributes.LIFETIME,
                request.modifiedMillis(),
                request.accessedMillis(),
                timeToLive.isZero() ? -1 : timeToLive.toMillis());
    }

    /** The node no longer goes with the session that made it. */
    public AttributeChange unbind() {
        return numbers(SetAttributes.UNBIND, request.mode(), request.storageClass());
    }

    /** Owner. */
    public AttributeChange owner(String user) {
        return people(SetAttributes.OWNER, user, request.group());
    }

    /** Group. */
    public AttributeChange group(String group) {
        return people(SetAttributes.GROUP, request.owner(), group);
    }

    SetAttributes.Request toRequest(byte[] path) {
        return new SetAttributes.Request(
                path,
                request.mask(),
                request.mode(),
                request.storageClass(),
                request.modifiedMillis(),
                request.accessedMillis(),
                request.lifetimeMillis(),
                request.owner(),
                request.group());
    }

    private AttributeChange numbers(int changed, int permissions, int storageClass) {
        return new AttributeChange(
                new SetAttributes.Request(
                        request.path(),
                        request.mask() | changed,
                        permissions,
                        storageClass,
                        request.modifiedMillis(),
                        request.accessedMillis(),
                        request.lifetimeMillis(),
                        request.owner(),
                        request.group()));
    }

    private AttributeChange times(int bit, long modified, long accessed, long lifetime) {
        return new AttributeChange(
                new SetAttributes.Request(
                        request.path(),
                        request.mask() | bit,
                        request.mode(),
                        request.storageClass(),
                        modified,
                        accessed,
                        lifetime,
                        request.owner(),
                        request.group()));
    }

    private AttributeChange people(int bit, String owner, String group) {
        return new AttributeChange(
                new SetAttributes.Request(
                        request.path(),
                        request.mask() | bit,
                        request.mode(),
                        request.storageClass(),
                        request.modifiedMillis(),
                        request.accessedMillis(),
                        request.lifetimeMillis(),
                        owner,
                        group));
    }
}
