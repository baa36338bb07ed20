// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.interop;

import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Class tags, which serialisers of shuffles ask for and do not look at. */
public final class ClassTags {
    private ClassTags() {}

    /** Of anything. */
    @SuppressWarnings("unchecked")
    public static <T> ClassTag<T> any() {
        return (ClassTag<T>) ClassTag$.MODULE$.Any();
    }
}
