// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/**
 * A member of a MULTIFILE that was opened.
 *
 * @param name its name
 * @param length committed bytes when it was opened; it is read no further
 * @param node its node id
 */
public record MemberInfo(String name, long length, long node) {}
