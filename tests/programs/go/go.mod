module example.org/target

go 1.19
