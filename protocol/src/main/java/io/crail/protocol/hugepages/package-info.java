// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Huge pages for segment files: what a mounted hugetlbfs (kernel document
 * admin-guide/mm/hugetlbpage) can hold, and what to do when that is too little. The storage server
 * enters with a directory before it makes files there, {@code crail doctor} with the same directory
 * to tell in advance; both get the same figures and the same advice. Nothing is written here.
 */
@NullMarked
package io.crail.protocol.hugepages;

import org.jspecify.annotations.NullMarked;
