module example.org/gocall

go 1.19
