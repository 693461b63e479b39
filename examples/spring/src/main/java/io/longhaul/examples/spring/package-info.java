// SPDX-License-Identifier: Apache-2.0
/**
 * A Spring Boot application whose beans are durable tools. The package starts no server and opens no store: the starter
 * does so.
 */
@NullMarked
package io.longhaul.examples.spring;

import org.jspecify.annotations.NullMarked;
