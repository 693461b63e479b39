// SPDX-License-Identifier: Apache-2.0
/** A Spring Boot application whose beans are durable tools. */
@NullMarked
package io.longhaul.examples.spring;

import org.jspecify.annotations.NullMarked;
