// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What the tests of every module share; compiled into the test classes of each of them.
 *
 * <p>Only what concerns how tests run, never what they test, may enter. JUnit finds it by its
 * service files; no test names it.
 */
@NullMarked
package io.crail.testing;

import org.jspecify.annotations.NullMarked;
